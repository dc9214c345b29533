//! Finds static parameters: functions that stand under D, or are passed on to a static parameter.

use rustc_hash::FxHashMap;

use super::tree::{TypedTree, TypedTreeKind};

/// For each of the first `params` variables, whether it is static.
pub(in super::super) fn statics(body: &TypedTree, params: usize) -> Vec<bool> {
    let mut found = StaticSearch { params: vec![false; params], lets: FxHashMap::default() };
    found.visit(body, params, false);
    found.params
}

struct StaticSearch<'a> {
    params: Vec<bool>,
    /// Values of let-bound functions, by variable, with the number of variables in scope there.
    lets: FxHashMap<usize, (&'a TypedTree, usize)>,
}

impl<'a> StaticSearch<'a> {
    /// `scope` is the number of variables in scope; `under` says whether D or a static parameter looks at the tree.
    fn visit(&mut self, tree: &'a TypedTree, scope: usize, under: bool) {
        match &tree.kind {
            TypedTreeKind::Local(level) if under && tree.ty.has_function() => {
                if let Some(known) = self.params.get_mut(*level) {
                    *known = true;
                } else if let Some((value, at)) = self.lets.remove(level) {
                    self.visit(value, at, true);
                }
            }
            TypedTreeKind::D(e) => self.visit(e, scope, true),
            TypedTreeKind::Lam(_, _, body) => {
                // This level's number may still be that of a `let` whose scope was left.
                self.lets.remove(&scope);
                self.visit(body, scope + 1, under);
            }
            TypedTreeKind::Let(_, value, body) => {
                self.visit(value, scope, under);
                self.lets.remove(&scope);
                if value.ty.has_function() {
                    self.lets.insert(scope, (value, scope));
                }
                self.visit(body, scope + 1, under);
            }
            TypedTreeKind::Guard(_, _, all) => {
                let [number, inside, other] = &**all;
                self.visit(number, scope, under);
                self.lets.remove(&scope);
                self.visit(inside, scope + 1, under);
                self.visit(other, scope, under);
            }
            TypedTreeKind::App(..) => self.application(tree, scope, under),
            TypedTreeKind::ByType(_, parameters) => {
                for (k, parameter) in parameters.iter().enumerate() {
                    self.visit(parameter, scope, under || k == 0);
                }
            }
            _ => {
                for part in tree.parts() {
                    self.visit(part, scope, under);
                }
            }
        }
    }

    fn application(&mut self, tree: &'a TypedTree, scope: usize, under: bool) {
        let (head, arguments) = tree.spine();
        self.visit(head, scope, under);
        for (k, a) in arguments.into_iter().enumerate() {
            let is_static = match &head.kind {
                TypedTreeKind::Global(def, ..) => def.statics.get(k).copied().unwrap_or(false),
                _ => false,
            };
            self.visit(a, scope, under || is_static);
        }
    }
}
