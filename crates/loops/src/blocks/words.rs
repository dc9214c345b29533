//! Packs values as words of 8 bytes, and unpacks them.

use crate::nest::leaves;
use redexter_language::eval::{Sizes, Value, check_sizes};
use redexter_language::ground::{Budget, Diagnostic, Trouble, code};
use redexter_language::term::{Program, Type, TypeView};

/// Values of these types as words, in their order, pairs in parts.
pub fn packed<'a>(
    values: impl IntoIterator<Item = (&'a Type, &'a Value)>,
    budget: &Budget,
) -> Result<Vec<Vec<u64>>, Trouble> {
    let mut all = Vec::new();
    for (ty, value) in values {
        let first = all.len();
        all.resize(first + parts(ty), Vec::new());
        pack(ty, value, &mut all[first..], budget)?;
    }
    Ok(all)
}

/// How many arrays values of a type come to.
pub fn parts(ty: &Type) -> usize {
    leaves(ty).map_or(0, |tree| tree.leaves().len())
}

/// Adds a value's numbers to its arrays: the first half of a pair has the first ones.
fn pack(ty: &Type, value: &Value, to: &mut [Vec<u64>], budget: &Budget) -> Result<(), Trouble> {
    budget.tick()?;
    let word = match (ty.view(), value) {
        (TypeView::Array(_, a), Value::Array(array)) => {
            return array.items().try_for_each(|item| pack(a, &item, to, budget));
        }
        (TypeView::Pair(a, b), Value::Pair(pair)) => {
            let (first, second) = to.split_at_mut(parts(a).min(to.len()));
            pack(a, &pair.0, first, budget)?;
            return pack(b, &pair.1, second, budget);
        }
        (_, Value::Real(x)) => x.to_bits(),
        (_, Value::Int(k)) => *k as u64,
        (_, Value::Index(k)) => *k,
        (_, Value::Array(_) | Value::Pair(_) | Value::Function(_)) => return Ok(()),
    };
    to.iter_mut().for_each(|words| words.push(word));
    Ok(())
}

/// The value of a type that these arrays hold.
pub fn unpacked(ty: &Type, from: &[Vec<u64>], sizes: &Sizes, budget: &Budget) -> Result<Value, Trouble> {
    element(ty, from, 0, sizes, budget)
}

/// The one at this place, of several of the type side by side.
fn element(ty: &Type, from: &[Vec<u64>], at: usize, sizes: &Sizes, budget: &Budget) -> Result<Value, Trouble> {
    budget.tick()?;
    let word = || from.first().and_then(|words| words.get(at)).copied().unwrap_or(0);
    Ok(match ty.view() {
        TypeView::Real => Value::Real(f64::from_bits(word())),
        TypeView::Fin(_) => Value::Index(word()),
        TypeView::Array(n, a) => {
            let n = sizes.value(n) as usize;
            let all = (0..n).map(|k| element(a, from, at * n + k, sizes, budget));
            Value::array(all.collect::<Result<Vec<Value>, Trouble>>()?)
        }
        TypeView::Pair(a, b) => {
            let (first, second) = from.split_at(parts(a).min(from.len()));
            Value::pair(element(a, first, at, sizes, budget)?, element(b, second, at, sizes, budget)?)
        }
        _ => Value::Int(word() as i64),
    })
}

/// Whether words of 8 bytes are inputs of a program: an array for each number that the parameters' types come to, pairs in
/// parts. Wrong are sizes that the program doesn't have, arrays of other lengths, and indices that are out of range.
pub fn check_words(program: &Program, given: &[Vec<u64>], sizes: &Sizes) -> Result<(), Trouble> {
    check_sizes(program, sizes)?;
    let mut rest = given;
    for (name, ty) in &program.term.applied().0 {
        let mine;
        (mine, rest) = rest.split_at(parts(ty).min(rest.len()));
        if !fits(ty, mine, 1, sizes) {
            let headline = format!("what is given for `{name}` doesn't fit its type {ty}");
            return Err(Diagnostic::error(code::INPUT_SHAPE, headline).help("give arrays of its sizes").into());
        }
    }
    Ok(())
}

/// Whether these words are so many values of a type.
fn fits(ty: &Type, words: &[Vec<u64>], count: u64, sizes: &Sizes) -> bool {
    match ty.view() {
        TypeView::Array(n, a) => fits(a, words, count.saturating_mul(sizes.value(n)), sizes),
        TypeView::Pair(a, b) => {
            let (first, second) = words.split_at(parts(a).min(words.len()));
            fits(a, first, count, sizes) && fits(b, second, count, sizes)
        }
        view => {
            let [words] = words else { return false };
            let below = if let TypeView::Fin(n) = view { sizes.value(n) } else { u64::MAX };
            // What isn't an index may be any word, so that it isn't looked at.
            words.len() as u64 == count && (below == u64::MAX || words.iter().all(|k| *k < below))
        }
    }
}
