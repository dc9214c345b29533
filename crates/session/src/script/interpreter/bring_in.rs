//! Resolves what a text imports and exports, against everything that it and earlier texts define.

use super::super::combinators::teach;
use super::super::imports::{ImportedName, Imports, ReadPurpose, ScriptImport, behind_a_name};
use super::super::libraries;
use super::super::outline::{DefinitionKind, Import, OutlineDefinition, ScriptOutline, outline, qualified, words};
use super::super::read::SyntaxOddity;
use super::super::world::ScriptWorld;
use super::Interpreter;
use redexter_language::ground::{Diagnostic, SourceId, Span, Trouble, code, name};
use redexter_rewriting::rule::RuleOrigin;

impl Interpreter {
    /// Imports what a text asks for, and gives the text that is left to read: of the same length, without these
    /// statements.
    pub(super) fn bring_in(&mut self, source: SourceId, text: &str, purpose: ReadPurpose) -> Result<String, Trouble> {
        libraries::count_text(&self.world);
        let found = outline(text);
        let wrong: Vec<Diagnostic> = found.wrong.iter().map(|wrong| misspelt(wrong, source)).collect();
        if !wrong.is_empty() {
            return Err(Trouble::Wrong(wrong));
        }
        let world = self.world.clone();
        let mut imports = world.imports().clone();
        for import in &found.imports {
            match self.library_of(source, import, purpose != ReadPurpose::Run) {
                Err(Trouble::Wrong(_)) if purpose == ReadPurpose::Layout => {}
                library => imports.add(&library?)?,
            }
        }
        self.clashes(source, &found, &imports)?;
        world.named.borrow_mut().imports = imports;
        if !found.imports.is_empty() {
            self.make_callable();
        }
        exported(&world, source, &found)?;
        let (left, unknown) = left(&world, source, text, &found);
        if !unknown.is_empty() && purpose != ReadPurpose::Layout {
            return Err(Trouble::Wrong(unknown));
        }
        self.outline = found;
        Ok(left)
    }

    fn library_of(&self, source: SourceId, import: &Import, dry: bool) -> Result<ScriptImport, Trouble> {
        let world = &self.world;
        let at = Span::new(source, import.at.start, import.at.end);
        let importing = world.sources.borrow().get(source).name.clone();
        let script = libraries::import(world, &importing, &import.path, at, dry)?;
        Ok(ScriptImport { script, alias: import.alias.clone(), path: import.path.clone(), at })
    }

    /// What a text defines must have no imported name, whichever came first.
    fn clashes(&self, source: SourceId, found: &ScriptOutline, imports: &Imports) -> Result<(), Trouble> {
        let mut wrong = Vec::new();
        let finding = |name: &str, at: Span, imported: &ImportedName| {
            let finding = Diagnostic::error(code::DUPLICATE, format!("`{name}` is defined here and imported"));
            let finding = finding.at(at, "is defined here").because(imported.at, "this import gives it, too");
            finding.help(behind_a_name(&imported.path, name))
        };
        let own = found.definitions.iter().map(|own| (&own.name, &own.at));
        for (name, at) in own.chain(found.variables.iter().map(|(name, at)| (name, at))) {
            if let Some(imported) = imports.named(name) {
                wrong.push(finding(name, Span::new(source, at.start, at.end), imported));
            }
        }
        for (name, at) in &found.variables {
            if let Some(library) = imports.aliased(name) {
                let headline = format!("`{name}` is the name of an import");
                let finding =
                    Diagnostic::error(code::DUPLICATE, headline).at(Span::new(source, at.start, at.end), "here");
                wrong.push(finding.because(library.at, "this import").help("choose another name"));
            }
        }
        for library in imports.libraries.iter().filter(|library| library.at.source == source) {
            let new = imports.names.iter().filter(|(_, imported)| imported.at == library.at);
            for (name, imported) in new {
                if let Some(at) = self.defined_at(name) {
                    wrong.push(finding(name, at, imported));
                }
            }
            let taken = |name: &&String| self.has_variable(name);
            let mut given =
                imports.names.iter().filter(|(_, imported)| imported.at == library.at).map(|(name, _)| name);
            if let Some(name) = library.alias.as_ref().filter(taken).or_else(|| given.find(taken)) {
                let finding = Diagnostic::error(code::DUPLICATE, format!("`{name}` is a variable already"));
                let finding = finding.at(library.at, "gives this name, too");
                wrong.push(finding.help("give the import another name behind `as`"));
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(Trouble::Wrong(wrong)) }
    }

    /// Where an earlier text defines a name that still has that meaning.
    fn defined_at(&self, name: &str) -> Option<Span> {
        self.own(name).map(|(source, own)| Span::new(source, own.at.start, own.at.end))
    }

    /// The same with what defines it.
    pub(super) fn own(&self, name: &str) -> Option<(SourceId, OutlineDefinition)> {
        let world = &self.world;
        let rule = || world.rule_names().get(name).is_some_and(|info| info.origin == RuleOrigin::User);
        let function = || self.functions.iter_functions().any(|function| function.name == name);
        if !world.definitions().contains_key(name) && !rule() && !function() {
            return None;
        }
        let last =
            world.texts.borrow().written.iter().rev().find(|own| own.definition.name == name).map(|own| own.source);
        let source = last.or_else(|| world.named.borrow().functions_of.get(name).copied())?;
        let found = outline(&world.sources.borrow().get(source).text).definitions;
        found.into_iter().find(|own| own.name == name).map(|own| (source, own))
    }
}

/// A text without meaning for Rhai that takes the place of a statement: it has as many bytes, and as many characters in its last
/// line. It is white space, or a comment where characters of several bytes have to stay.
fn blank(statement: &str) -> String {
    let end = statement.len().saturating_sub(2);
    let last = statement.get(end..).filter(|last| last.is_ascii() && last.ends_with(';') && !last.starts_with('\n'));
    let comment = !statement.is_ascii() && last.is_some();
    let blank = |c: char| match c {
        '\n' => "\n".to_owned(),
        _ if comment && !c.is_ascii() => c.to_string(),
        _ => " ".repeat(c.len_utf8()),
    };
    let blanked: String = statement.chars().map(blank).collect();
    if comment { format!("/*{}*/", &blanked[2..end]) } else { blanked }
}

fn misspelt(wrong: &SyntaxOddity, source: SourceId) -> Diagnostic {
    let at = Span::new(source, wrong.at.start, wrong.at.end);
    Diagnostic::error(wrong.code, &wrong.headline).at(at, "here").help(&wrong.help)
}

/// What a script exports must be defined in it, or imported by it.
fn exported(world: &ScriptWorld, source: SourceId, found: &ScriptOutline) -> Result<(), Diagnostic> {
    let known =
        |name: &str| found.definitions.iter().any(|own| own.name == name) || world.imports().named(name).is_some();
    let line = world.sources.borrow().get(source).name.starts_with('<');
    if let (true, Some((_, at))) = (line, found.exports.iter().flatten().next()) {
        let finding = Diagnostic::error(code::SYNTAX, "only a script exports: nothing imports what is typed");
        return Err(finding.at(Span::new(source, at.start, at.end), "here").help("`:save FILE.strat` writes a script"));
    }
    let Some((name, at)) = found.exports.iter().flatten().find(|(name, _)| !known(name)) else { return Ok(()) };
    let own = found.definitions.iter().map(|own| own.name.as_str());
    let help = name::did_you_mean(name, own).unwrap_or_else(|| format!("define it, as `strategy {name} = …;`"));
    let finding = Diagnostic::error(code::UNKNOWN_STRATEGY, format!("`{name}` is exported, but not defined"));
    Err(finding.at(Span::new(source, at.start, at.end), "is not known").help(help))
}

/// The text that is left for Rhai: without imports and exports, and with one name, `lib_name`, for each `lib.name`. Also a
/// finding for each of these that isn't known.
fn left(world: &ScriptWorld, source: SourceId, text: &str, found: &ScriptOutline) -> (String, Vec<Diagnostic>) {
    let imports = world.imports();
    let mut bytes = text.as_bytes().to_vec();
    for statement in &found.statements {
        bytes[statement.clone()].copy_from_slice(blank(&text[statement.clone()]).as_bytes());
    }
    let mut wrong = Vec::new();
    for (alias, name, dot) in qualified(text, &|alias| imports.aliased(alias).is_some()) {
        let joined = format!("{alias}_{name}");
        if imports.named(&joined).is_some() {
            bytes[dot] = b'_';
        } else if let Some(library) = imports.aliased(alias) {
            let at = Span::new(source, dot + 1, dot + 1 + name.len());
            wrong.push(library.script.unknown(name).at(at, "is not known"));
        }
    }
    let joined = |word: &str| imports.named(word).filter(|imported| imported.shown != word);
    for (word, at) in words(text) {
        if let Some(imported) = joined(word) {
            let headline = format!("`{word}` can't be told from `{}`", imported.shown);
            let finding = Diagnostic::error(code::DUPLICATE, headline).because(imported.at, "this import gives it");
            let finding = finding.at(Span::new(source, at, at + word.len()), "here");
            wrong.push(finding.help("choose another name, or give the import another one behind `as`"));
        }
    }
    (String::from_utf8_lossy(&bytes).into_owned(), wrong)
}

impl Interpreter {
    /// Gives the engine what is imported and takes arguments.
    pub(super) fn make_callable(&mut self) {
        let world = self.world.clone();
        let imports = world.imports();
        let all = imports.names.iter().flat_map(|(name, imported)| {
            imported
                .offers
                .iter()
                .map(|offer| (name.clone(), offer.params.len(), offer.kind == DefinitionKind::Function))
        });
        let all: Vec<(String, usize, bool)> = all.collect();
        drop(imports);
        // Functions that are handed over run on an engine of their own.
        let mut changed = self.computing.is_none() && all.iter().any(|(_, arity, function)| *function && *arity > 0);
        for (name, arity, _) in all.into_iter().filter(|(_, arity, function)| *arity > 0 || *function) {
            if self.imported.insert((name.clone(), arity)) {
                teach(&mut self.engine, &self.world, &name, arity);
                changed |= self.computing.is_some();
            }
        }
        if changed {
            self.prepare_computing();
        }
    }
}
