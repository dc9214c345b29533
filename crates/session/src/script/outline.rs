//! Reads the outline of a script from its text alone: what it imports, exports and defines at its top level, and the comments
//! above its definitions.
//!
//! Rhai never sees `import` and `export`: its own modules are other ones, and don't know strategies. A script's outline is
//! known before the script is read, since what it imports decides what its names mean. This knows no engine.

use std::ops::Range;

use super::read::{STATEMENTS, ScriptTokens, SyntaxOddity, unreadable};
use redexter_language::ground::code;
use redexter_language::ground::text::{call, line_start, listed};
use redexter_language::syntax::tokens::{Dialect, TokenKind as token, tokens};

/// `import "lib.strat" as name;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Import {
    /// The path as it is written, and where, its quotes included.
    pub path: String,
    pub at: Range<usize>,
    /// The name before the dot of what it gives.
    pub alias: Option<String>,
}

/// The kind of what a statement defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DefinitionKind {
    Strategy,
    Rule,
    Function,
}

/// A definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OutlineDefinition {
    pub kind: DefinitionKind,
    pub name: String,
    pub params: Vec<String>,
    /// Where its name stands.
    pub at: Range<usize>,
    /// The statement up to its first semicolon or the end of its braces.
    pub statement: Range<usize>,
}

/// What a script says at its top level.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScriptOutline {
    pub imports: Vec<Import>,
    /// The names that it offers, with their places, where it says so.
    pub exports: Option<Vec<(String, Range<usize>)>>,
    pub definitions: Vec<OutlineDefinition>,
    /// Variables that it binds.
    pub variables: Vec<(String, Range<usize>)>,
    /// The statements that only this sees.
    pub statements: Vec<Range<usize>>,
    /// What isn't written as it must be.
    pub wrong: Vec<SyntaxOddity>,
}

impl OutlineDefinition {
    /// How it is used.
    pub(crate) fn usage(&self) -> String {
        call(&self.name, &self.params)
    }

    /// The lines of the comment right above it, without what begins a comment.
    pub(crate) fn comment<'a>(&self, text: &'a str) -> Vec<&'a str> {
        let mut lines: Vec<&str> = self.above(text).map_while(comment).collect();
        lines.reverse();
        lines
    }

    /// The lines of the comment above the block of lines that it stands in, which tells what all of them are for.
    pub(crate) fn comment_of_block<'a>(&self, text: &'a str) -> Vec<&'a str> {
        let beside = |line: &&str| !line.trim().is_empty() && comment(line).is_none();
        let mut lines: Vec<&str> = self.above(text).skip_while(beside).map_while(comment).collect();
        lines.reverse();
        lines
    }

    /// The lines above it, from below; none where something stands before it in its line.
    fn above<'a>(&self, text: &'a str) -> impl Iterator<Item = &'a str> + use<'a> {
        let before = &text[..self.statement.start];
        let line = line_start(text, before.len());
        before[..line].lines().rev().filter(move |_| before[line..].trim().is_empty())
    }
}

/// What a line comments, if it is a comment.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim();
    line.strip_prefix("//").or(line.strip_prefix("--"))
}

/// Words behind which a name is defined. What is `private` stays in its script.
const DEFINING_WORDS: &[(&str, DefinitionKind)] =
    &[("strategy", DefinitionKind::Strategy), ("rule", DefinitionKind::Rule), ("fn", DefinitionKind::Function)];

/// The outline of a script.
pub(crate) fn outline(text: &str) -> ScriptOutline {
    let all = tokens(text, Dialect::Script);
    let tokens = ScriptTokens { text, all: &all };
    let mut seer = OutlineReader { tokens, ends: tokens.ends(), found: ScriptOutline::default() };
    let (mut depth, mut before) = (0_u32, ";");
    for (at, token) in all.iter().enumerate().filter(|(_, token)| token.counts()) {
        let (begins, word) = (matches!(before, ";" | "{" | "}"), &text[token.range()]);
        match token.kind {
            token::Open => depth += 1,
            token::Close => depth = depth.saturating_sub(1),
            token::Word if begins => seer.statement(at, word, depth),
            _ => {}
        }
        before = word;
    }
    seer.found
}

/// Reads the statement that begins at a token.
struct OutlineReader<'a> {
    tokens: ScriptTokens<'a>,
    /// Where the statement ends that goes on at each token.
    ends: Vec<usize>,
    found: ScriptOutline,
}

impl<'a> OutlineReader<'a> {
    fn statement(&mut self, at: usize, first: &str, depth: u32) {
        match first {
            "import" | "export" if depth > 0 => {
                let headline = format!("`{first}` can't stand in brackets");
                self.wrong(at, headline, "write it at the top of the script, outside all brackets".to_owned());
            }
            _ if depth > 0 => {}
            "import" => self.import(at),
            "export" => self.export(at),
            "let" | "const" => {
                let name = self.behind(at);
                self.found.variables.push((self.tokens.text(name).to_owned(), self.range(name)));
            }
            _ => self.define(at, first),
        }
    }

    /// The next token that counts.
    fn behind(&self, at: usize) -> usize {
        self.tokens.counting(at + 1)
    }

    fn range(&self, at: usize) -> Range<usize> {
        self.tokens.start(at)..self.tokens.start(at) + self.tokens.text(at).len()
    }

    fn name(&self, at: usize) -> Option<&'a str> {
        self.tokens.is(at, token::Word).then(|| self.tokens.text(at))
    }

    fn define(&mut self, at: usize, first: &str) {
        let tokens = self.tokens;
        let Some((_, kind)) = DEFINING_WORDS.iter().find(|(word, _)| *word == first) else { return };
        let place = self.behind(at);
        let Some(name) = self.name(place) else { return };
        let open = self.behind(place);
        let close = tokens.partner(open).filter(|_| tokens.text(open) == "(");
        let params = (open..close.unwrap_or(open)).filter_map(|k| self.name(k)).map(str::to_owned).collect();
        let ends = match kind {
            DefinitionKind::Function => tokens.partner(self.behind(close.unwrap_or(open))),
            _ => Some(self.ends[at]).filter(|end| tokens.text(*end) == ";"),
        };
        let end = ends.map_or(tokens.text.len(), |end| self.range(end).end);
        self.found.definitions.push(OutlineDefinition {
            kind: *kind,
            name: name.to_owned(),
            params,
            at: self.range(place),
            statement: tokens.start(at)..end,
        });
    }

    fn import(&mut self, at: usize) {
        let string = self.behind(at);
        let quoted = self.tokens.text(string).strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        let Some(path) = quoted.filter(|_| self.tokens.is(string, token::Quoted)) else {
            let rest = &self.tokens.text[self.tokens.start(string)..];
            let path = rest.split(|c: char| c.is_whitespace() || c == ';').next().unwrap_or_default();
            let path = path.trim_matches(['"', '\'', '`']).trim_end_matches(".strat");
            let name = if path.is_empty() { "lib" } else { path };
            let headline = "`import` needs the path of a script in quotes".to_owned();
            // A module of Python's or of Lean's is no script.
            let help = match name.contains('.') || ["jax", "numpy", "torch"].contains(&name) {
                true => {
                    "there is nothing to import for that: `:help The prelude` lists the array functions that are there"
                        .to_owned()
                }
                false => format!("write `import \"{name}.strat\";`"),
            };
            return self.wrong(at, headline, help);
        };
        let (mut next, mut alias) = (self.behind(string), None);
        if self.tokens.text(next) == "as" {
            let name = self.behind(next);
            alias = self.name(name).map(str::to_owned);
            if alias.is_none() {
                let help = format!("write `import \"{path}\" as name;`");
                return self.wrong(next, "`as` needs a name".to_owned(), help);
            }
            if let Some(wrong) = unreadable(self.tokens.text(name), self.range(name)) {
                return self.found.wrong.push(wrong);
            }
            next = self.behind(name);
        }
        if path.ends_with(".arr") {
            let name = alias.as_deref().unwrap_or("model");
            let headline = "only scripts are imported into a script, and this is a model".to_owned();
            return self.wrong(
                string,
                headline,
                format!("write `let {name} = load(\"{path}\");`, with the path from the current folder"),
            );
        }
        let written = match &alias {
            Some(name) => format!("import \"{path}\" as {name};"),
            None => format!("import \"{path}\";"),
        };
        self.found.imports.push(Import { path: path.to_owned(), at: self.range(string), alias });
        self.finish(at, next, &written);
    }

    fn export(&mut self, at: usize) {
        let (mut next, mut names) = (self.behind(at), Vec::new());
        loop {
            let Some(name) = self.name(next).filter(|name| !STATEMENTS.contains(name)) else {
                let headline = "`export` needs the names of what the script defines".to_owned();
                return self.wrong(at, headline, "write `export a, b;`".to_owned());
            };
            names.push((name.to_owned(), self.range(next)));
            next = self.behind(next);
            if self.tokens.text(next) != "," {
                break;
            }
            next = self.behind(next);
        }
        let written = format!("export {};", listed(names.iter().map(|(name, _)| name)));
        self.found.exports.get_or_insert_default().extend(names);
        self.finish(at, next, &written);
    }

    /// Ends a statement that is written like this.
    fn finish(&mut self, at: usize, next: usize, written: &str) {
        let end = self.tokens.text(next);
        if !matches!(end, "" | ";") {
            let headline = format!("a `;` is missing behind this {}", self.tokens.text(at));
            return self.wrong(next, headline, format!("write `{written}`"));
        }
        self.found.statements.push(self.tokens.start(at)..self.range(next).end);
    }

    fn wrong(&mut self, at: usize, headline: String, help: String) {
        self.found.wrong.push(SyntaxOddity { at: self.range(at), code: code::SYNTAX, headline, help });
    }
}

/// The uses of `alias.name` in a text, each with where its dot stands.
pub(crate) fn qualified<'a>(text: &'a str, is_alias: &dyn Fn(&str) -> bool) -> Vec<(&'a str, &'a str, usize)> {
    let all = tokens(text, Dialect::Script);
    let tokens = ScriptTokens { text, all: &all };
    let uses = (0..all.len()).filter(|at| {
        let names = tokens.is(*at, token::Word) && tokens.is(at + 2, token::Word);
        // Asked of few words, since much that doesn't count may stand before one.
        let field = || all[..*at].iter().rposition(|token| token.counts()).is_some_and(|last| tokens.text(last) == ".");
        names && tokens.text(at + 1) == "." && is_alias(tokens.text(*at)) && !field()
    });
    let part = |at: usize| &text[all[at].range()];
    uses.map(|at| (part(at), part(at + 2), tokens.start(at + 1))).collect()
}

/// The words of a text's code, each with where it begins.
pub(crate) fn words(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let words = tokens(text, Dialect::Script).into_iter().filter(|token| token.kind == token::Word);
    words.map(|token| (&text[token.range()], token.range().start))
}

#[cfg(test)]
mod tests {
    use super::super::read::passed;
    use super::{outline, qualified};

    fn told(text: &str) -> String {
        let found = outline(text);
        let imports = found.imports.iter().map(|i| format!("<{}{:?}", i.path, i.alias.as_deref().unwrap_or("")));
        let exports = found.exports.iter().flatten().map(|(name, _)| format!(">{name}"));
        let definitions = found.definitions.iter().map(|d| format!("{}={}", d.usage(), &text[d.statement.clone()]));
        let wrong = found.wrong.iter().map(|w| format!("! {}", w.headline));
        imports.chain(exports).chain(definitions).chain(wrong).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn statements_at_the_top_are_seen() {
        let text = "import \"a.strat\"; import /* b */ \"b.strat\" as b;\nexport f, // one\n g;";
        assert_eq!(told(text), "<a.strat\"\" | <b.strat\"b\" | >f | >g");
        let text = "strategy f(s, t) = s ;; t; rule g = `x; --> y`;\nfn h(x) { fn_; }\nif x { strategy k = id; }";
        let (f, g, h) = ("strategy f(s, t) = s ;; t;", "rule g = `x; --> y`;", "fn h(x) { fn_; }");
        assert_eq!(told(text), format!("f(s, t)={f} | g={g} | h(x)={h}"));
        assert_eq!(told("\"import\"; // import \"x\";\nx.import; `export a;`"), "");
        assert_eq!(told("import lib; export let x = 1;").matches('!').count(), 2);
        assert_eq!(told("import \"a.strat\" strategy f = id;"), "<a.strat\"\" | ! a `;` is missing behind this import");
    }

    /// Whether they end with a `;` or not.
    #[test]
    fn definitions_are_seen_by_steps_that_grow_with_them() {
        let steps = |count| passed::by(|| drop(outline(&"fn f() {} rule r = `x + 0 --> x`\n".repeat(count))));
        let (once, twice) = (steps(500), steps(1_000));
        assert!(2 * twice <= 5 * once.max(500), "{once} steps, and {twice} for twice the text");
    }

    #[test]
    fn comments_stand_right_above() {
        let text = "// no\n\n  // one\n--  two\n  strategy f = id; fn g() {}\n";
        let found = outline(text);
        assert_eq!(found.definitions[0].comment(text), [" one", "  two"]);
        assert!(found.definitions[1].comment(text).is_empty());
    }

    #[test]
    fn a_block_shares_its_comment() {
        let text = "// before\n\n// both\nstrategy f = id;\nstrategy g = id;\n\nstrategy h = id;\n";
        let found = outline(text);
        let of = |k: usize| found.definitions[k].comment_of_block(text);
        assert_eq!((of(0), of(1), of(2)), (vec![" both"], vec![" both"], vec![]));
    }

    #[test]
    fn qualified_names_are_found_in_code() {
        let text =
            "lib.f(lib.g) + x.lib.h + \"lib.i\" + `lib.j ${lib.k + `${1}`}` // lib.l\n+ lib.2 + liblib.m + lib . n";
        let found = qualified(text, &|name| name == "lib");
        let names: Vec<&str> = found.iter().map(|(_, name, _)| *name).collect();
        assert_eq!(names, ["f", "g", "k"]);
        assert!(found.iter().all(|(_, _, at)| text[*at..].starts_with('.')));
    }
}
