//! Files of arrays, made byte by byte or by NumPy.

/// A `.npy` with this kind of numbers and this shape, written as Python writes them.
pub fn npy(kind: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    of_order(kind, "False", shape, data)
}

pub fn of_order(kind: &str, by_columns: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': {by_columns}, 'shape': {shape}, }}");
    while (10 + text.len() + 1) % 64 != 0 {
        text.push(' ');
    }
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend([(text.len() % 256) as u8, (text.len() / 256) as u8]);
    [&bytes, text.as_bytes(), data].concat()
}

pub fn reals(numbers: &[f64]) -> Vec<u8> {
    npy("<f8", &format!("({},)", numbers.len()), &numbers.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>())
}

/// The header's text and the words of a `.npy` that was written.
pub fn taken_apart(bytes: &[u8]) -> (String, Vec<u64>) {
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let begins = 10 + usize::from(bytes[8]) + 256 * usize::from(bytes[9]);
    assert_eq!((begins % 64, bytes[begins - 1]), (0, b'\n'));
    let words = bytes[begins..].chunks(8).map(|word| u64::from_le_bytes(word.try_into().unwrap()));
    (String::from_utf8(bytes[10..begins].to_vec()).unwrap().trim_end().to_owned(), words.collect())
}

pub fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
}

/// An archive of files as they are.
pub fn zip(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let (mut all, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let (size, at) = ((bytes.len() as u32).to_le_bytes(), (all.len() as u32).to_le_bytes());
        let common = [
            &[20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0][..],
            &crc(bytes).to_le_bytes(),
            &size,
            &size,
            &(name.len() as u16).to_le_bytes(),
            &[0, 0],
        ]
        .concat();
        all.extend([b"PK\x03\x04", &common[..], name.as_bytes(), bytes].concat());
        directory.extend([b"PK\x01\x02\x14\x00", &common[..], &[0; 10], &at, name.as_bytes()].concat());
    }
    let count = (files.len() as u16).to_le_bytes();
    let [size, at] = [directory.len() as u32, all.len() as u32].map(u32::to_le_bytes);
    [&all, &directory, &b"PK\x05\x06\0\0\0\0"[..], &count, &count, &size, &at, &[0, 0]].concat()
}

/// `numpy.savez_compressed(file, v=numpy.array([1.5, -2, 3], '>f4'), w=numpy.array([4, 5, -6], 'i1'))`, of NumPy 2.
pub const NUMPYS: &str = "504b03042d000000080000002100fa4da39bffffffffffffffff05001400762e6e7079010010008c000000000000004f000000000000009bec17ea\
1b10c9c850c650ad9e925a9c5ca46ea5a06e9766a2aea3a09e965f54529498179f5f94920a12774bcc294e058a17672416a402f91ac63a9a3a0ab50a14002efb030c0c\
40c4e0e0c0c00000504b03042d0000000800000021005a8ffce3ffffffffffffffff05001400772e6e707901001000830000000000000047000000000000009bec17\
ea1b10c9c850c650ad9e925a9c5ca46ea5a05e9369a8aea3a09e965f54529498179f5f94920a12774bcc294e058a17672416a402f91ac63a9a3a0ab50a14002e16d6\
5f00504b01022d032d000000080000002100fa4da39b4f0000008c000000050000000000000000000000800100000000762e6e7079504b01022d032d0000000800\
000021005a8ffce34700000083000000050000000000000000000000800186000000772e6e7079504b0506000000000200020066000000040100000000";

pub fn numpys() -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).unwrap() as u8;
    NUMPYS.as_bytes().chunks(2).map(|two| digit(two[0]) << 4 | digit(two[1])).collect()
}
