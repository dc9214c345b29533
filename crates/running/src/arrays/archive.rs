//! Reads and writes `.npz` files: ZIP archives of arrays, each as it is or deflated. The only file that names rawzip.

use std::io::{Read, Write};

use flate2::bufread::DeflateDecoder;
use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, ZipArchive, ZipArchiveWriter, ZipFileHeaderRecord, ZipSliceArchive};

use super::literal::UnreadableArray;
use super::npy::{StoredArray, differs, header};
use redexter_language::ground::{Budget, Diagnostic, Trouble, code};

/// So many bytes are unpacked between two questions whether to go on.
const CHUNK_BYTES: u64 = 1 << 20;

/// The arrays of an archive by name, in its order, with at most so many numbers together.
pub fn read(file: &str, bytes: &[u8], mut left: u64, budget: &Budget) -> Result<Vec<(String, StoredArray)>, Trouble> {
    let broken = |error: rawzip::Error| unreadable(file, format!("it is no `.npz`, or a broken one: {error}"));
    let archive = ZipArchive::from_slice(bytes).map_err(broken)?;
    let mut all = Vec::new();
    for entry in archive.entries() {
        budget.ask()?;
        let entry = entry.map_err(broken)?;
        let path = String::from_utf8_lossy(entry.file_path().as_bytes()).into_owned();
        let Some(name) = path.strip_suffix(".npy") else {
            return Err(unreadable(file, format!("`{path}` in it is no `.npy`")).into());
        };
        let place = format!("{file}: {name}");
        let stored = array(&archive, &entry, (place, left), budget)?;
        left = left.saturating_sub(stored.header.count());
        all.push((name.to_owned(), stored));
    }
    // A damaged directory may end early, so that the archive's own count has to be met.
    match all.len() as u64 == archive.entries_hint() {
        true => Ok(all),
        false => Err(unreadable(file, "it has other arrays than its end says").into()),
    }
}

fn array(
    archive: &ZipSliceArchive<&[u8]>,
    entry: &ZipFileHeaderRecord,
    (place, most): (String, u64),
    budget: &Budget,
) -> Result<StoredArray, Trouble> {
    let wrong = |why: UnreadableArray| unreadable(&place, why);
    if entry.flags().is_encrypted() {
        return Err(wrong("it is encrypted".into()).into());
    }
    let packed = archive.get_entry(entry.wayfinder()).map_err(|error| wrong(error.to_string().into()))?;
    let unpacks = |method: CompressionMethod| -> Option<Box<dyn Read + '_>> {
        match method {
            CompressionMethod::STORE => Some(Box::new(packed.verifying_reader(packed.data()))),
            CompressionMethod::DEFLATE => Some(Box::new(packed.verifying_reader(DeflateDecoder::new(packed.data())))),
            _ => None,
        }
    };
    let method = entry.compression_method();
    let mut reader = unpacks(method).ok_or_else(|| wrong(format!("it is compressed by {method}").into()))?;
    let mut begun = Vec::new();
    let begins = |most: usize| {
        let missing = (most - begun.len().min(most)) as u64;
        reader
            .by_ref()
            .take(missing)
            .read_to_end(&mut begun)
            .map_err(|error| UnreadableArray::from(error.to_string()))?;
        Ok(begun.clone())
    };
    let (header, whole) = header(begins).map_err(wrong)?;
    let declared = header.size(most).map_err(wrong)?;
    let mut bytes = begun.split_off(whole.min(begun.len()));
    // One more, to come to the end, where its checksum is compared, and to see whether there are more.
    let goal = declared as u64 + 1;
    loop {
        budget.ask()?;
        let missing = goal.saturating_sub(bytes.len() as u64).min(CHUNK_BYTES);
        match reader.by_ref().take(missing).read_to_end(&mut bytes) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => return Err(wrong(error.to_string().into()).into()),
        }
    }
    match bytes.len() == declared {
        true => Ok(StoredArray { place, header, bytes }),
        false => {
            let there = if bytes.len() > declared { "more".to_owned() } else { bytes.len().to_string() };
            Err(wrong(differs(&header, declared, &there)).into())
        }
    }
}

/// What is wrong with a file, or with an array in it.
pub fn unreadable(place: &str, wrong: impl Into<UnreadableArray>) -> Diagnostic {
    let UnreadableArray { why, help } = wrong.into();
    Diagnostic::error(code::UNREADABLE, format!("`{place}` can't be read: {why}")).help(help)
}

/// An archive of these files as they are, all of one moment: equal arrays give equal bytes.
pub fn write(files: &[(String, Vec<u8>)]) -> Result<Vec<u8>, rawzip::Error> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    for (name, bytes) in files {
        let file = format!("{name}.npy");
        let file = archive.new_file(&file).last_modified(UtcDateTime::from_unix(ZIP_EPOCH));
        let (mut entry, config) = file.start()?;
        let mut writer = config.wrap(&mut entry);
        writer.write_all(bytes)?;
        let (_, descriptor) = writer.finish()?;
        entry.finish(descriptor)?;
    }
    archive.finish()
}

/// The first second of 1980, before which there are no times in a ZIP archive.
const ZIP_EPOCH: i64 = 315_532_800;
