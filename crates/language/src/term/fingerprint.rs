//! Computes fingerprints: 128-bit keyed hashes by which types and terms are compared in one step.
//!
//! SipHash-1-3 with 128 bits of output and a fixed key: two different terms share a fingerprint with a probability
//! of about 2^-128, and the same term has the same fingerprint in every run.

use std::hash::Hasher;

use siphasher::sip128::{Hasher128, SipHasher13};

use super::size::{Size, SizeAtom};

/// Gathers what a fingerprint is made from.
pub(crate) struct FingerprintHasher(SipHasher13);

impl FingerprintHasher {
    pub(crate) fn new() -> FingerprintHasher {
        FingerprintHasher(SipHasher13::new_with_keys(0x72_65_64_65_78, 0x74_65_72))
    }
    pub(super) fn tag(&mut self, tag: u8) {
        self.0.write_u8(tag);
    }
    pub(crate) fn word(&mut self, word: u64) {
        self.0.write_u64(word);
    }
    pub(crate) fn wide(&mut self, fingerprint: u128) {
        self.0.write_u128(fingerprint);
    }
    pub(crate) fn text(&mut self, text: &str) {
        self.word(text.len() as u64);
        self.0.write(text.as_bytes());
    }
    pub(super) fn size(&mut self, size: &Size) {
        for (monomial, coefficient) in size.terms() {
            self.tag(1);
            self.word(coefficient);
            for (atom, power) in monomial {
                match atom {
                    SizeAtom::Var(name) => {
                        self.tag(2);
                        self.text(name.as_str());
                    }
                    SizeAtom::Unknown(id) => {
                        self.tag(3);
                        self.word(u64::from(*id));
                    }
                }
                self.word(u64::from(*power));
            }
        }
        self.tag(0);
    }
    pub(crate) fn finish(&self) -> u128 {
        self.0.finish128().as_u128()
    }
}
