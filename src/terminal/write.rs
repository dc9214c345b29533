//! Writes a file so that where that fails the old one stays as it was.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};

/// Makes these bytes all that a file holds: a new file is made beside it and moved into its place, with the old one's
/// permissions. A file with several names keeps them, since it is written in place.
pub fn whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let old = fs::metadata(path).ok();
    if let Some(old) = &old {
        if old.permissions().readonly() {
            return Err(ErrorKind::PermissionDenied.into());
        }
        // Fails where the file can't be written, though a new one in its folder could take its place.
        OpenOptions::new().write(true).open(path)?;
    }
    match old {
        Some(old) if has_several_names(&old) => in_place(path, bytes),
        old => {
            let permissions = old.map(|old| old.permissions());
            let new = filled(path, bytes, permissions)?;
            or_remove(&new, fs::rename(&new, path))
        }
    }
}

#[cfg(unix)]
fn has_several_names(file: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(file) > 1
}

#[cfg(not(unix))]
fn has_several_names(_: &Metadata) -> bool {
    false
}

/// Writes a file in place. What it held is kept beside it until it is written, and comes back where it can't be.
fn in_place(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let old = fs::read(path)?;
    let mut file = OpenOptions::new().write(true).open(path)?;
    let copy = filled(path, &old, None)?;
    let done = refill(&mut file, bytes);
    if let Err(wrong) = &done
        && refill(&mut file, &old).is_err()
    {
        return Err(io::Error::new(wrong.kind(), format!("{wrong}; what it held is in `{}`", copy.display())));
    }
    // There is nobody to tell that it can't be removed.
    drop(fs::remove_file(&copy));
    done
}

fn refill(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    file.rewind()?;
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)?;
    file.sync_all()
}

/// A new file in the same folder that holds this.
fn filled(path: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<PathBuf> {
    let (mut file, new) = beside(path)?;
    let done = file.write_all(bytes).and_then(|()| permissions.map_or(Ok(()), |given| file.set_permissions(given)));
    or_remove(&new, done.and_then(|()| file.sync_all()))?;
    Ok(new)
}

fn or_remove(new: &Path, done: io::Result<()>) -> io::Result<()> {
    if done.is_err() {
        // There is nobody to tell that it can't be removed either.
        drop(fs::remove_file(new));
    }
    done
}

fn beside(path: &Path) -> io::Result<(File, PathBuf)> {
    let mut tries = 0u32;
    loop {
        let new = path.with_file_name(format!(".redexter-{}-{tries}", std::process::id()));
        match File::create_new(&new) {
            Err(e) if e.kind() == ErrorKind::AlreadyExists => tries += 1,
            made => return made.map(|file| (file, new)),
        }
    }
}
