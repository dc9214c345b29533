//! Finds which variables `=` and `!=` compare with each other: a fact of a node, worked out from those of its children when it
//! is first asked for.

use super::form::EQUATION_BIT;
use super::kind::Kind;
use super::node::Node;
use super::prim::Prim;

/// The variables of a node that comparisons below it compare, by their places among its free variables.
#[derive(Debug, Default)]
pub struct ComparedVariables {
    /// Those that are compared with something that mentions a variable bound within the node; in order.
    pub inner: Vec<u32>,
    /// Those that are compared with something that mentions the other one; each pair and all pairs in order.
    pub pairs: Vec<[u32; 2]>,
    /// There are more pairs than are kept, and nothing is known.
    pub many: bool,
}

/// The most pairs that are kept.
const MAX_PAIRS: usize = 64;

static NONE: ComparedVariables = ComparedVariables { inner: Vec::new(), pairs: Vec::new(), many: false };

impl Kind {
    /// Whether it is `=` or `!=`.
    pub fn is_equation(&self) -> bool {
        matches!(self, Kind::Prim(Prim::Eq | Prim::Ne))
    }
}

impl Node {
    /// Whether it holds `=` or `!=`.
    pub fn compares(&self) -> bool {
        self.holds & EQUATION_BIT != 0
    }

    /// Which variables meet in it.
    pub fn meets(&self) -> &ComparedVariables {
        if !self.compares() {
            return &NONE;
        }
        match self.known_meets() {
            Some(known) => known,
            None => self.work_out_meets(),
        }
    }

    fn known_meets(&self) -> Option<&ComparedVariables> {
        self.asked.get()?.meets.get().map(|known| &**known)
    }

    #[cold]
    fn work_out_meets(&self) -> &ComparedVariables {
        let mut waiting = vec![self];
        while let Some(node) = waiting.last().copied() {
            let known = waiting.len();
            let kids = node.kids.iter().map(|kid| &**kid);
            waiting.extend(kids.filter(|kid| kid.compares() && kid.known_meets().is_none()));
            if waiting.len() == known {
                node.asked().meets.get_or_init(|| Box::new(ComparedVariables::of(node)));
                waiting.pop();
            }
        }
        self.known_meets().unwrap_or(&NONE)
    }
}

impl ComparedVariables {
    /// Those of a node, once they are known of its children.
    fn of(node: &Node) -> ComparedVariables {
        let mut all = ComparedVariables::default();
        for (k, kid) in node.kids.iter().enumerate().filter(|(_, kid)| kid.compares()) {
            let (below, binders) = (kid.meets(), node.binders(k));
            let place = |p: &u32| node.form.links[k][*p as usize].checked_sub(binders);
            all.many |= below.many;
            all.inner.extend(below.inner.iter().filter_map(place));
            for [a, b] in &below.pairs {
                match (place(a), place(b)) {
                    (Some(a), Some(b)) => all.pairs.push([a.min(b), a.max(b)]),
                    (outer, inner) => all.inner.extend(outer.or(inner)),
                }
            }
        }
        if node.kind().is_equation() {
            let (left, right) = (&node.form.links[0], &node.form.links[1]);
            all.many |= left.len() * right.len() > MAX_PAIRS;
            let across = left.iter().flat_map(|a| right.iter().map(|b| [*a.min(b), *a.max(b)]));
            all.pairs.extend(across.filter(|[a, b]| a != b && !all.many));
        }
        all.inner.sort_unstable();
        all.inner.dedup();
        all.pairs.sort_unstable();
        all.pairs.dedup();
        match all.many || all.pairs.len() > MAX_PAIRS {
            true => ComparedVariables { many: true, ..ComparedVariables::default() },
            false => all,
        }
    }
}
