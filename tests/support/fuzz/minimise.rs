//! What broke, made small.

use super::mutate::tokens;

/// Leaves out chunks, then tokens, then bytes, as long as what is left still breaks; so many trials at most.
pub fn minimise(input: &[u8], mut trials: usize, mut breaks: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut least = input.to_vec();
    let mut tried = |candidate: &[u8]| {
        trials = trials.saturating_sub(1);
        trials > 0 && breaks(candidate)
    };
    loop {
        let before = least.len();
        let mut chunk = least.len() / 2;
        while chunk > 8 {
            let cuts: Vec<usize> = (0..=least.len()).step_by(chunk).chain([least.len()]).collect();
            without_pieces(&mut least, &cuts, &mut tried);
            chunk /= 2;
        }
        let ends = ends(&tokens(&least));
        without_pieces(&mut least, &ends, &mut tried);
        let bytes: Vec<usize> = (0..=least.len()).collect();
        without_pieces(&mut least, &bytes, &mut tried);
        if least.len() == before {
            return least;
        }
    }
}

fn ends(tokens: &[&[u8]]) -> Vec<usize> {
    let ends = tokens.iter().scan(0, |at, token| {
        *at += token.len();
        Some(*at)
    });
    std::iter::once(0).chain(ends).collect()
}

/// Leaves out what stands between two cuts, the last pieces first, so that the cuts before stay where they are.
fn without_pieces(least: &mut Vec<u8>, cuts: &[usize], tried: &mut impl FnMut(&[u8]) -> bool) {
    for piece in cuts.windows(2).rev() {
        let candidate = [&least[..piece[0]], &least[piece[1]..]].concat();
        if piece[0] < piece[1] && tried(&candidate) {
            *least = candidate;
        }
    }
}
