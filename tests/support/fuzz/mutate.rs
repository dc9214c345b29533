//! Inputs from other inputs: bytes, tokens and lines are changed, pieces of another input put in, repeated and nested.

use std::ops::Range;

use redexter::ground::Random;

use super::Target;

/// Longer inputs are cut.
const LONGEST: usize = 16 * 1024;

/// Numerals at the ends of what some type holds, and how else numbers are written.
const NUMERALS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "127",
    "128",
    "255",
    "65535",
    "1000000",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "1e308",
    "1e999",
    "1e-999",
    "0.1",
    "-0.0",
    "1.",
    ".5",
    "0x10",
    "1_000",
    "99999999999999999999999999999999999999999999999999",
];

/// Bytes that texts seldom have.
const ODD: &[&[u8]] = &[
    b"\0",
    b"\n",
    b"\r\n",
    b"\t",
    b" ",
    b"\x1b[31m",
    b"\x7f",
    b"\xff",
    b"\xc3",
    b"\xef\xbb\xbf",
    "λ".as_bytes(),
    "→".as_bytes(),
    "×".as_bytes(),
    "\u{2028}".as_bytes(),
    "e\u{301}".as_bytes(),
    "😀".as_bytes(),
    b"\\",
    b"\"",
    b"'",
    b"`",
    b"/*",
    b"*/",
    b"//",
    b"--",
    b"${",
    b"\\u{110000}",
    b"\\ud800",
];

/// What may stand around something, and what nests when it is repeated.
const AROUND: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("-", ""),
    ("fun x => ", ""),
    ("let x := 1; ", ""),
    ("if 1 then 0 else ", ""),
    ("(fst ", ")"),
    ("real -> ", ""),
    ("array n ", ""),
    ("repeat(", ")"),
    ("id <+ ", ""),
    ("`", "`"),
    ("\"", "\""),
    ("${", "}"),
    ("{\"a\":", "}"),
    ("not ", ""),
    ("x + ", ""),
    ("|x| ", ""),
];

/// Makes the inputs of a target.
pub struct Mutator {
    words: Vec<&'static str>,
    seeds: Vec<Vec<u8>>,
}

impl Mutator {
    pub fn new(target: &'static Target) -> Mutator {
        let words = target.words.split("  ").filter(|word| !word.is_empty());
        Mutator { words: words.chain([" ", "\n"]).collect(), seeds: (target.seeds)() }
    }

    /// The input of this number: it follows from the number and the seed alone.
    pub fn input(&self, seed: u64, number: u64) -> Vec<u8> {
        let mut random = Random::new(Random::new(seed ^ number.rotate_left(32)).number());
        let mut input = random.pick(&self.seeds).clone();
        for _ in 0..random.below(6) {
            input = match random.below(8) {
                0 => bytes(input, &mut random),
                1 => lines(input, self.other(&mut random), &mut random),
                2 => spliced(&input, self.other(&mut random), &mut random),
                3 => around(&input, &mut random),
                _ => self.words(&input, &mut random),
            };
            input.truncate(LONGEST);
        }
        input
    }

    fn other(&self, random: &mut Random) -> &[u8] {
        &self.seeds[random.below(self.seeds.len())]
    }

    /// Deletes, doubles, swaps, replaces and adds tokens.
    fn words(&self, input: &[u8], random: &mut Random) -> Vec<u8> {
        let mut all = tokens(input);
        if all.is_empty() {
            return random.pick(ODD).to_vec();
        }
        let k = random.below(all.len());
        match random.below(8) {
            0 => drop(all.remove(k)),
            1 => {
                let end = (k + 1 + random.below(12)).min(all.len());
                all.drain(k..end);
            }
            2 => all.insert(k, all[k]),
            3 => {
                let other = random.below(all.len());
                all.swap(k, other);
            }
            4 => match (0..all.len()).map(|j| (j + k) % all.len()).find(|j| all[*j][0].is_ascii_digit()) {
                Some(at) => all[at] = random.pick(NUMERALS).as_bytes(),
                None => all[k] = random.pick(NUMERALS).as_bytes(),
            },
            5 => {
                let word = self.word(&all, random);
                all.insert(k, word);
            }
            _ => all[k] = self.word(&all, random),
        }
        all.concat()
    }

    /// A word of the language, or one that the input has elsewhere.
    fn word<'a>(&self, all: &[&'a [u8]], random: &mut Random) -> &'a [u8] {
        match random.chance(30) {
            true => all[random.below(all.len())],
            false => random.pick(&self.words).as_bytes(),
        }
    }
}

/// Words, characters, and bytes that are no character.
pub fn tokens(input: &[u8]) -> Vec<&[u8]> {
    let in_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut all = Vec::new();
    let mut rest = input;
    while let Some(first) = rest.first() {
        let word = rest.iter().take_while(|byte| in_word(byte)).count();
        let character = match first {
            0xc0..0xe0 => 2,
            0xe0..0xf0 => 3,
            0xf0..0xf8 => 4,
            _ => 1,
        };
        let (token, after) = rest.split_at(word.max(character).min(rest.len()));
        all.push(token);
        rest = after;
    }
    all
}

fn bytes(mut input: Vec<u8>, random: &mut Random) -> Vec<u8> {
    let at = random.below(input.len() + 1);
    match random.below(4) {
        0 if at < input.len() => input[at] ^= 1 << random.below(8),
        1 if at < input.len() => drop(input.remove(at)),
        2 => input.truncate(at),
        _ => drop(input.splice(at..at, random.pick(ODD).iter().copied())),
    }
    input
}

/// Lines are left out, moved, repeated, or come from another input.
fn lines(input: Vec<u8>, other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut all: Vec<&[u8]> = input.split_inclusive(|byte| *byte == b'\n').collect();
    let others: Vec<&[u8]> = other.split_inclusive(|byte| *byte == b'\n').collect();
    if all.is_empty() || others.is_empty() {
        return other.to_vec();
    }
    let k = random.below(all.len());
    match random.below(4) {
        0 => drop(all.remove(k)),
        1 => all.insert(k, all[random.below(all.len())]),
        2 => {
            let j = random.below(all.len());
            all.swap(j, k);
        }
        _ => all.insert(k, others[random.below(others.len())]),
    }
    all.concat()
}

/// A range among so many, seldom long.
fn range(count: usize, random: &mut Random) -> Range<usize> {
    let start = random.below(count + 1);
    let most = (count - start + 1).min(1 << random.below(8));
    start..start + random.below(most)
}

/// A piece of another input stands in the place of a piece.
fn spliced(input: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let (all, others) = (tokens(input), tokens(other));
    let (out, new) = (range(all.len(), random), range(others.len(), random));
    [&all[..out.start], &others[new], &all[out.end..]].concat().concat()
}

/// A piece is repeated, or stands within brackets, often many.
fn around(input: &[u8], random: &mut Random) -> Vec<u8> {
    let all = tokens(input);
    let within = range(all.len(), random);
    let piece = all[within.clone()].concat();
    let most = if random.chance(20) { 12 } else { 4 };
    let times = 1 << random.below(most);
    let new = match random.chance(40) {
        true => piece.repeat(times.min(LONGEST / piece.len().max(1))),
        false => {
            let (open, close) = random.pick(AROUND);
            [open.repeat(times).as_bytes(), &piece, close.repeat(times).as_bytes()].concat()
        }
    };
    [all[..within.start].concat(), new, all[within.end..].concat()].concat()
}
