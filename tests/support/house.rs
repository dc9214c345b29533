//! The modules of a crate's source and who names whom, read from its tokens. It knows none by name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A path within the crate, without `crate`: of a module, or of an item in one.
type At = Vec<String>;

/// One naming of a path.
struct Mention {
    /// File and line.
    place: String,
    from: At,
    to: At,
    what: What,
}

#[derive(Clone, Copy, PartialEq)]
enum What {
    Use,
    /// `pub use`, of any visibility.
    Export,
    /// `impl` of a type without a trait.
    Impl,
}

/// Who names whom, and where.
pub type Edges = BTreeMap<(String, String), Vec<String>>;

/// A crate's modules and all paths that they name.
#[derive(Default)]
pub struct House {
    modules: BTreeSet<At>,
    imports: BTreeMap<At, At>,
    mentions: Vec<Mention>,
}

/// The files in a folder and below it: their paths in it, and their texts.
pub fn texts(src: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    collect(src, &Vec::new(), &mut files);
    files
}

impl House {
    /// What stands in a folder and below it.
    pub fn read(src: &Path) -> House {
        House::of(texts(src).iter().map(|(path, text)| (path.as_str(), text.as_str())))
    }

    /// Of files, given by their path in the source folder and their text.
    pub fn of<'a>(files: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> House {
        let mut house = House { modules: files.clone().map(|(path, _)| module(path)).collect(), ..House::default() };
        for (path, text) in files {
            let tokens: TokenStream = text.parse().expect("Rust");
            let mut reader = Reader { house: &mut house, path, module: module(path) };
            reader.items(&tokens.into_iter().collect::<Vec<_>>());
        }
        house
    }

    /// The modules directly within one, which is given by its path.
    pub fn children(&self, within: &str) -> BTreeSet<&str> {
        let within = at(within);
        let below = self.modules.iter().filter(|m| m.starts_with(&within));
        below.filter_map(|m| m.get(within.len())).map(String::as_str).collect()
    }

    /// The innermost module on a path.
    fn module(&self, path: &[String]) -> At {
        let known = (0..=path.len()).rev().find(|k| self.modules.contains(&path[..*k]));
        path[..known.unwrap_or(0)].to_vec()
    }

    /// The module in which what a path names is defined: so many imports on the way are followed.
    fn home(&self, path: &[String], fuel: usize) -> At {
        let module = self.module(path);
        let rest = &path[module.len()..];
        match rest.first().and_then(|_| self.imports.get(&path[..=module.len()])) {
            Some(target) if fuel > 0 => self.home(&[target, &rest[1..]].concat(), fuel - 1),
            _ => module,
        }
    }

    /// Which children of a module name which, at which places.
    ///
    /// What the module's own file defines counts as the child `mod`. A re-export is no mention of its own: who names
    /// what it hands on names the child that defines it. The child that a path goes through is named, too. An inherent `impl`
    /// apart from its type binds both ways, as the type's own file can call what stands in it without naming it.
    pub fn edges(&self, within: &str) -> Edges {
        let within = at(within);
        let child = |module: &At| -> Option<String> {
            let inside = module.starts_with(&within).then(|| module.get(within.len()).map_or("mod", String::as_str));
            inside.map(str::to_owned)
        };
        let mut edges = Edges::new();
        for m in self.mentions.iter().filter(|m| !(m.what == What::Export && m.from == within)) {
            let passed = child(&self.module(&m.to)).filter(|passed| passed != "mod");
            let named: BTreeSet<String> = child(&self.home(&m.to, 8)).into_iter().chain(passed).collect();
            let Some(from) = child(&m.from) else { continue };
            for to in named.into_iter().filter(|to| *to != from && !(within.is_empty() && to == "mod")) {
                let place = format!("{}: {}", m.place, m.to.join("::"));
                if m.what == What::Impl {
                    edges.entry((to.clone(), from.clone())).or_default().push(format!("{place} (has methods here)"));
                }
                edges.entry((from.clone(), to)).or_default().push(place);
            }
        }
        edges
    }
}

/// A path from its text.
fn at(path: &str) -> At {
    path.split("::").filter(|s| !s.is_empty()).map(str::to_owned).collect()
}

/// A shortest circle with a place for each of its edges.
pub fn circle(edges: &Edges) -> Option<Vec<String>> {
    let nodes: BTreeSet<&String> = edges.keys().map(|(from, _)| from).collect();
    let shortest = nodes.into_iter().filter_map(|start| around(edges, start)).min_by_key(Vec::len)?;
    let told = shortest.windows(2).map(|pair| {
        let places = &edges[&(pair[0].clone(), pair[1].clone())];
        format!("{} -> {}\n    {}", pair[0], pair[1], places.join("\n    "))
    });
    Some(told.collect())
}

/// A shortest way from a node back to it.
fn around(edges: &Edges, start: &str) -> Option<Vec<String>> {
    let mut ways = vec![vec![start.to_owned()]];
    let mut seen = BTreeSet::new();
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            let last = way.last()?;
            for (_, to) in edges.keys().filter(|(from, _)| from == last) {
                let next = [way.as_slice(), std::slice::from_ref(to)].concat();
                if to == start {
                    return Some(next);
                }
                if seen.insert(to) {
                    longer.push(next);
                }
            }
        }
        ways = longer;
    }
    None
}

fn collect(folder: &Path, above: &At, files: &mut Vec<(String, String)>) {
    let mut entries: Vec<_> = fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let inside = [above.as_slice(), &[name]].concat();
        if path.is_dir() {
            collect(&path, &inside, files);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push((inside.join("/"), fs::read_to_string(&path).expect("text")));
        }
    }
}

/// The module whose file has this path.
fn module(path: &str) -> At {
    let parts = path.trim_end_matches(".rs").split('/').map(str::to_owned);
    let mut at: At = parts.collect();
    at.pop_if(|last| matches!(last.as_str(), "mod" | "lib"));
    at
}

struct Reader<'a> {
    house: &'a mut House,
    path: &'a str,
    module: At,
}

fn is(token: Option<&TokenTree>, text: &str) -> bool {
    match token {
        Some(TokenTree::Ident(i)) => i == text,
        Some(TokenTree::Punct(p)) => p.as_char().to_string() == text,
        _ => false,
    }
}

fn group(token: Option<&TokenTree>, delimiter: Delimiter) -> Option<Vec<TokenTree>> {
    match token {
        Some(TokenTree::Group(g)) if g.delimiter() == delimiter => Some(g.stream().into_iter().collect()),
        _ => None,
    }
}

impl Reader<'_> {
    /// All paths among the tokens, in groups, too.
    fn items(&mut self, tokens: &[TokenTree]) {
        let mut i = 0;
        while let Some(token) = tokens.get(i) {
            let before = i.checked_sub(1).and_then(|k| tokens.get(k));
            i += match token {
                TokenTree::Group(g) => {
                    self.items(&g.stream().into_iter().collect::<Vec<_>>());
                    1
                }
                TokenTree::Ident(word) if word == "use" && !is(tokens.get(i + 1), "<") => self.import(tokens, i),
                TokenTree::Ident(word) if word == "mod" => self.inline(tokens, i),
                TokenTree::Ident(word) if word == "impl" && starts_item(before) => {
                    self.methods(&tokens[i + 1..]);
                    1
                }
                TokenTree::Ident(_) => {
                    let (path, read) = path(&tokens[i..]);
                    self.mention(&path, What::Use, token);
                    read
                }
                _ => 1,
            };
        }
    }

    /// `use …;` from its word on. Gives the number of its tokens.
    fn import(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        let end = tokens[at..].iter().position(|t| is(Some(t), ";")).map_or(tokens.len(), |n| at + n);
        let shown = |k: usize| is(tokens.get(k), "pub");
        let restricted = at > 1 && group(tokens.get(at - 1), Delimiter::Parenthesis).is_some() && shown(at - 2);
        let what = if restricted || (at > 0 && shown(at - 1)) { What::Export } else { What::Use };
        self.tree(&[], &tokens[at + 1..end], what);
        end - at
    }

    /// One branch of a `use` tree below a prefix.
    fn tree(&mut self, prefix: &[String], tokens: &[TokenTree], what: What) {
        let Some(first) = tokens.first() else { return };
        let (tail, read) = path(tokens);
        let mut whole = [prefix, &tail].concat();
        if let Some(inner) = group(tokens.get(read), Delimiter::Brace) {
            for branch in inner.split(|t| is(Some(t), ",")) {
                self.tree(&whole, branch, what);
            }
            return;
        }
        whole.pop_if(|last| last == "self");
        let Some(target) = self.mention(&whole, what, first) else { return };
        let name = match tokens.get(read + 1) {
            Some(alias) if is(tokens.get(read), "as") => alias.to_string(),
            _ => target.last().cloned().unwrap_or_default(),
        };
        let here = [self.module.as_slice(), &[name]].concat();
        if here != target {
            self.house.imports.insert(here, target);
        }
    }

    /// `mod name { … }` from its word on; unit tests are no part of a module. Gives the number of tokens read.
    fn inline(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        let (Some(name), Some(inner)) = (tokens.get(at + 1), group(tokens.get(at + 2), Delimiter::Brace)) else {
            return 2;
        };
        let attribute = at.checked_sub(1).and_then(|k| group(tokens.get(k), Delimiter::Bracket));
        if attribute.is_none_or(|a| !is(a.first(), "cfg")) {
            self.module.push(name.to_string());
            self.house.modules.insert(self.module.clone());
            self.items(&inner);
            self.module.pop();
        }
        3
    }

    /// What follows the word `impl` of an item, if no trait is implemented.
    fn methods(&mut self, tokens: &[TokenTree]) {
        let body = tokens.iter().position(|t| group(Some(t), Delimiter::Brace).is_some()).unwrap_or(tokens.len());
        let mut head = &tokens[..body];
        if is(head.first(), "<") {
            head = &head[closing(head)..];
        }
        let of_trait = (0..head.len()).any(|k| is(head.get(k), "for") && !is(head.get(k + 1), "<"));
        if let Some(first) = head.first()
            && !of_trait
        {
            let (named, _) = path(head);
            let found = self.absolute(&named).unwrap_or_else(|| [self.module.as_slice(), &named].concat());
            self.push(found, What::Impl, first);
        }
    }

    /// A path as one within the crate, if it is one.
    fn absolute(&self, path: &[String]) -> Option<At> {
        let mut at = self.module.clone();
        let mut rest = path;
        match rest.first()?.as_str() {
            "crate" => at.clear(),
            "self" => {}
            "super" => {
                at.pop();
            }
            child if self.house.modules.contains(&[at.as_slice(), &[child.to_owned()]].concat()) => {
                at.push(child.to_owned());
            }
            _ => return None,
        }
        rest = &rest[1..];
        while rest.first().is_some_and(|s| s == "super") {
            at.pop();
            rest = &rest[1..];
        }
        Some([at.as_slice(), rest].concat())
    }

    fn mention(&mut self, path: &[String], what: What, token: &TokenTree) -> Option<At> {
        let to = self.absolute(path).filter(|_| path.len() > 1)?;
        self.push(to.clone(), what, token);
        Some(to)
    }

    fn push(&mut self, to: At, what: What, token: &TokenTree) {
        let place = format!("{}:{}", self.path, token.span().start().line);
        self.house.mentions.push(Mention { place, from: self.module.clone(), to, what });
    }
}

/// Whether an item can start behind this token.
fn starts_item(before: Option<&TokenTree>) -> bool {
    match before {
        None => true,
        Some(TokenTree::Group(g)) => g.delimiter() != Delimiter::Parenthesis,
        Some(token) => is(Some(token), ";") || is(Some(token), "unsafe"),
    }
}

/// The number of tokens up to and with the `>` that closes the first.
fn closing(tokens: &[TokenTree]) -> usize {
    let mut open = 0;
    for (k, token) in tokens.iter().enumerate() {
        if is(Some(token), "<") {
            open += 1;
        } else if is(Some(token), ">") && !is(k.checked_sub(1).and_then(|j| tokens.get(j)), "-") {
            open -= 1;
        }
        if open == 0 {
            return k + 1;
        }
    }
    tokens.len()
}

/// The words of the path at the start, and the number of its tokens with the `::` that may end it.
fn path(tokens: &[TokenTree]) -> (At, usize) {
    let (mut words, mut i) = (Vec::new(), 0);
    while let Some(TokenTree::Ident(word)) = tokens.get(i) {
        words.push(word.to_string());
        i += 1;
        if !(is(tokens.get(i), ":") && is(tokens.get(i + 1), ":")) {
            break;
        }
        i += 2;
    }
    (words, i.max(1))
}
