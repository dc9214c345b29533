//! Signatures are what others call: a function's head, its documentation, the bytes that it needs, and the same for code that
//! is loaded.

use super::CTarget;
use super::body::{CBody, c_type, size};
use super::names::CNames;
use crate::nest::{Nest, NestSlot};
use redexter_language::ground::Name;

/// What loaded code is called by.
pub const ENTRY: &str = "redexter_entry";

pub(super) const HEADER_END: &str = "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";

pub(super) fn header_top(prefix: &str) -> String {
    let guard = format!("REDEXTER_{}_H", prefix.to_uppercase());
    format!(
        "/* Written by redexter.\n   Arrays are dense, the last index running fastest; an array of pairs is a pair of arrays.\n   \
         Sizes are not negative and below 2^48; rounds of loops, lengths and numbers of elements below 2^60.\n   \
         Results overlap nothing.\n   \
         `arena` has as many bytes as the function whose name ends in _arena says, aligned to 8. */\n\
         #ifndef {guard}\n#define {guard}\n#include <stddef.h>\n#include <stdint.h>\n\
         #ifdef __cplusplus\nextern \"C\" {{\n#endif\n"
    )
}

fn sizes(nest: &Nest, names: &CNames) -> Vec<String> {
    nest.sizes.iter().map(|n| format!("int64_t {}", names.size(n))).collect()
}

fn head(name: &str, nest: &Nest, names: &CNames, restrict: &str) -> String {
    let mut all = sizes(nest, names);
    for slot in &nest.parameters {
        let (ty, own) = (c_type(slot.array.number), names.slot(slot));
        all.push(if slot.array.dims.is_empty() {
            format!("{ty} {own}")
        } else {
            format!("const {ty} *{restrict}{own}")
        });
    }
    for slot in &nest.results {
        all.push(format!("{} *{restrict}{}", c_type(slot.array.number), names.slot(slot)));
    }
    all.push("void *arena".to_owned());
    format!("void {name}({})", all.join(", "))
}

fn arena_head(name: &str, nest: &Nest, names: &CNames) -> String {
    let all = sizes(nest, names);
    format!("size_t {name}_arena({})", if all.is_empty() { "void".to_owned() } else { all.join(", ") })
}

/// The types that the user knows, in a comment, and both heads; also the definition, where the function isn't called after it.
pub(super) fn declaration((definition, name): (&Name, &str), nest: &Nest, names: &CNames) -> String {
    let is_told = name.ends_with(&format!("_{definition}"));
    let mut about = if is_told { String::new() } else { format!(" is {definition}") };
    for slot in nest.parameters.iter().chain(&nest.results) {
        let dims: String = slot.array.dims.iter().map(|n| format!("[{n}]")).collect();
        about += &format!("\n   {}: {}{dims}", names.slot(slot), c_type(slot.array.number));
    }
    let (arena, head) = (arena_head(name, nest, names), head(name, nest, names, ""));
    format!("\n/* {name}{about} */\n{arena};\n{head};\n")
}

/// The function that says how many bytes are needed meanwhile.
pub(super) fn arena(name: &str, nest: &Nest, names: &CNames) -> String {
    let mut text = format!("\n{};\n{} {{\n", arena_head(name, nest, names), arena_head(name, nest, names));
    nest.sizes.iter().for_each(|n| text += &format!("  (void){};\n", names.size(n)));
    // 64 bytes more, since the arena is aligned to 8 and temporaries are to 64.
    text += "  size_t bytes = 64;\n";
    for slot in &nest.temporaries {
        let each = slot.array.dims.iter().fold("sizeof(double)".to_owned(), |product, n| {
            format!("redexter_times({product}, {})", size(n, names, true))
        });
        text += &format!("  bytes = redexter_plus(bytes, redexter_plus({each}, 56) & ~(size_t)63);\n");
    }
    text + "  return bytes;\n}\n"
}

pub(super) fn definition(name: &str, nest: &Nest, names: &CNames, target: &CTarget) -> String {
    let mut text =
        format!("\n{};\n{} {{\n", head(name, nest, names, "restrict "), head(name, nest, names, "restrict "));
    nest.sizes.iter().for_each(|n| text += &format!("  (void){};\n", names.size(n)));
    nest.parameters.iter().for_each(|slot| text += &format!("  (void){};\n", names.slot(slot)));
    format!("{text}{}}}\n", inside(nest, names, target))
}

/// Where temporaries begin.
pub(super) const TEMPORARIES: &str =
    "  char *free_bytes = (char *)arena + (-(uintptr_t)arena & 63);\n  (void)free_bytes;\n";

/// A temporary, behind the last one in the arena.
pub(super) fn temporary(slot: &NestSlot, names: &CNames, restrict: &str) -> String {
    let (ty, own) = (c_type(slot.array.number), names.slot(slot));
    let mut text = format!("  {ty} *{restrict}{own} = ({ty} *)(void *)free_bytes;\n");
    text += &format!("  free_bytes += {};\n", bytes(slot, names));
    text
}

/// Temporaries and what is done.
fn inside(nest: &Nest, names: &CNames, target: &CTarget) -> String {
    let mut text = TEMPORARIES.to_owned();
    nest.temporaries.iter().for_each(|slot| text += &temporary(slot, names, "restrict "));
    let mut body = CBody::new(names, target, nest);
    body.body(&nest.body, 1);
    text + body.text.as_str()
}

/// How many bytes a temporary takes.
pub(super) fn bytes(slot: &NestSlot, names: &CNames) -> String {
    // A multiple of 8 and 56 more reach the next multiple of 64.
    let dims = slot.array.dims.iter().map(|n| format!(" * {}", size(n, names, false)));
    format!("((int64_t)sizeof(double){} + 56) & ~INT64_C(63)", dims.collect::<String>())
}

/// The function that is loaded: it gives 1 where it was ended.
pub(super) fn entry(nest: &Nest, names: &CNames, target: &CTarget) -> String {
    let head = format!(
        "int {ENTRY}(const int64_t *sizes, const void *const *given, void *const *asked, void *arena, \
         double (*const *functions)(double), const volatile int *stop)"
    );
    let (unused, slots) = (UNUSED, slots(nest, names, "restrict "));
    format!("\n{head};\n{head} {{\n{unused}{slots}{}  return 0;\n}}\n", inside(nest, names, target))
}

/// What may not be used.
pub(super) const UNUSED: &str = "  (void)sizes; (void)given; (void)asked; (void)functions; (void)stop;\n";

/// Sizes, what is given and what is asked for, as loaded code finds them.
pub(super) fn slots(nest: &Nest, names: &CNames, restrict: &str) -> String {
    let mut text = String::new();
    for (k, name) in nest.sizes.iter().enumerate() {
        text += &format!("  const int64_t {} = sizes[{k}];\n", names.size(name));
    }
    for (k, slot) in nest.parameters.iter().enumerate() {
        let (ty, own) = (c_type(slot.array.number), names.slot(slot));
        text += &match slot.array.dims.is_empty() {
            true => format!("  const {ty} {own} = *(const {ty} *)given[{k}];\n"),
            false => format!("  const {ty} *{restrict}{own} = given[{k}];\n"),
        };
    }
    for (k, slot) in nest.results.iter().enumerate() {
        text += &format!("  {} *{restrict}{} = asked[{k}];\n", c_type(slot.array.number), names.slot(slot));
    }
    text
}
