//! Defines what is between terms and Python: numbers as functions of axes, and data made of them.
//!
//! An axis stands for an index that runs from 0 to below a size. A number that depends on some axes is, in Python, one array
//! with a dimension for each of them.

use std::rc::Rc;

use redexter_language::ground::writing::goes_on;
use redexter_language::term::{Prim, PrimClass, Size, Type, TypeView};

/// An axis; smaller ones belong to loops further out.
pub(super) type Axis = u32;

/// What a number is in Python.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Real,
    Int,
    Truth,
}

/// A variable of the Python function.
#[derive(Debug)]
pub(super) struct PyVar {
    pub(super) id: u32,
    pub(super) name: String,
    /// In which block it is: 0 for the function, more for steps of loops inside.
    pub(super) level: usize,
    pub(super) number: Number,
    pub(super) dims: Vec<Size>,
    /// Whether its type gives way to that of what it meets, as a literal's does.
    pub(super) is_weak: bool,
    /// Whether no derivative can go through it: it doesn't depend on a real.
    pub(super) is_real_free: bool,
}

impl PartialEq for PyVar {
    fn eq(&self, other: &PyVar) -> bool {
        self.id == other.id
    }
}

/// A number for each combination of the axes that occur in it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum AxisNode {
    Real(f64),
    Int(i64),
    Size(Size),
    /// The index itself.
    Axis(Axis),
    /// An element of a variable.
    Read(Rc<PyVar>, Rc<[AxisNode]>),
    Prim(Prim, Rc<[AxisNode]>),
    /// Whether an integer isn't 0.
    Truth(Rc<AxisNode>),
    /// A truth, what holds where it does, and what holds elsewhere.
    Select(Rc<(AxisNode, AxisNode, AxisNode)>),
    /// What all numbers along an axis come to together.
    Reduce(AxisReduction, Axis, Rc<AxisNode>),
    /// The sum at a place.
    Scatter(Rc<ScatterNode>),
    /// One of these, by its number.
    Stack(Rc<[AxisNode]>, Rc<AxisNode>),
}

/// How numbers come together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AxisReduction {
    Sum,
    Product,
    Max,
    Min,
    /// The index of the first of the greatest.
    ArgMax,
    ArgMin,
}

/// Sums to each of which some rounds add.
#[derive(Debug, PartialEq)]
pub(super) struct ScatterNode {
    /// The rounds.
    pub(super) over: Axis,
    pub(super) places: Size,
    /// Where a round adds, and what.
    pub(super) key: AxisNode,
    /// Whether a key may be no place.
    pub(super) may_miss: bool,
    pub(super) value: AxisNode,
    /// Which of the sums is asked for.
    pub(super) place: AxisNode,
}

/// Data.
#[derive(Clone, Debug)]
pub(super) enum AxisValue {
    Number(AxisNode),
    Pair(Rc<(AxisValue, AxisValue)>),
    /// For each index along the axis.
    Array(Axis, Rc<AxisValue>),
}

impl AxisNode {
    pub(super) fn prim(prim: Prim, of: impl Into<Rc<[AxisNode]>>) -> AxisNode {
        AxisNode::Prim(prim, of.into())
    }

    pub(super) fn select(condition: AxisNode, a: AxisNode, b: AxisNode) -> AxisNode {
        if a == b { a } else { AxisNode::Select(Rc::new((condition, a, b))) }
    }

    pub(super) fn reduce(how: AxisReduction, axis: Axis, body: AxisNode) -> AxisNode {
        AxisNode::Reduce(how, axis, Rc::new(body))
    }

    pub(super) fn is_zero(&self) -> bool {
        matches!(self, AxisNode::Int(0)) || matches!(self, AxisNode::Real(x) if *x == 0.0)
    }

    /// What it is in Python.
    pub(super) fn number(&self) -> Number {
        match self {
            AxisNode::Real(_) => Number::Real,
            AxisNode::Int(_) | AxisNode::Size(_) | AxisNode::Axis(_) => Number::Int,
            AxisNode::Read(var, _) => var.number,
            AxisNode::Truth(_) => Number::Truth,
            AxisNode::Select(p) => match (p.1.number(), p.2.number()) {
                (Number::Truth, Number::Int) => Number::Int,
                (own, _) => own,
            },
            AxisNode::Reduce(AxisReduction::ArgMax | AxisReduction::ArgMin, ..) => Number::Int,
            AxisNode::Reduce(_, _, body) => match body.number() {
                Number::Real => Number::Real,
                _ => Number::Int,
            },
            AxisNode::Scatter(_) => Number::Real,
            AxisNode::Stack(items, _) => items.first().map_or(Number::Real, AxisNode::number),
            AxisNode::Prim(prim, of) => match prim.class() {
                PrimClass::Comparison | PrimClass::Connective => Number::Truth,
                _ => match prim {
                    Prim::ToReal => Number::Real,
                    Prim::ToInt | Prim::Quot | Prim::Rem | Prim::Offset(_) => Number::Int,
                    _ => match of[0].number() {
                        Number::Truth => Number::Int,
                        own => own,
                    },
                },
            },
        }
    }

    /// Does something with each part, the index of what is bound in it included.
    pub(super) fn each<'a>(&'a self, work: &mut dyn FnMut(&'a AxisNode)) {
        match self {
            AxisNode::Real(_) | AxisNode::Int(_) | AxisNode::Size(_) | AxisNode::Axis(_) => {}
            AxisNode::Read(_, of) | AxisNode::Prim(_, of) => of.iter().for_each(work),
            AxisNode::Truth(a) | AxisNode::Reduce(_, _, a) => work(a),
            AxisNode::Select(p) => [&p.0, &p.1, &p.2].into_iter().for_each(work),
            AxisNode::Scatter(s) => [&s.key, &s.value, &s.place].into_iter().for_each(work),
            AxisNode::Stack(items, index) => {
                items.iter().for_each(&mut *work);
                work(index);
            }
        }
    }

    /// The same with other parts.
    pub(super) fn map(&self, each: &mut dyn FnMut(&AxisNode) -> AxisNode) -> AxisNode {
        match self {
            AxisNode::Real(_) | AxisNode::Int(_) | AxisNode::Size(_) | AxisNode::Axis(_) => self.clone(),
            AxisNode::Read(var, of) => AxisNode::Read(var.clone(), of.iter().map(each).collect()),
            AxisNode::Prim(prim, of) => AxisNode::Prim(*prim, of.iter().map(each).collect()),
            AxisNode::Truth(a) => AxisNode::Truth(Rc::new(each(a))),
            AxisNode::Reduce(how, axis, a) => AxisNode::Reduce(*how, *axis, Rc::new(each(a))),
            AxisNode::Select(p) => AxisNode::select(each(&p.0), each(&p.1), each(&p.2)),
            AxisNode::Scatter(s) => AxisNode::Scatter(Rc::new(ScatterNode {
                over: s.over,
                places: s.places.clone(),
                key: each(&s.key),
                may_miss: s.may_miss,
                value: each(&s.value),
                place: each(&s.place),
            })),
            AxisNode::Stack(items, index) => {
                let items = items.iter().map(&mut *each).collect();
                AxisNode::Stack(items, Rc::new(each(index)))
            }
        }
    }

    /// The same with `by` in the place of an axis. What loops inside it bind is named by other axes.
    pub(super) fn at(&self, axis: Axis, by: &AxisNode) -> AxisNode {
        match self {
            AxisNode::Axis(own) if *own == axis => by.clone(),
            own if !goes_on() || !own.depends_on(axis) => own.clone(),
            own => own.map(&mut |part| part.at(axis, by)),
        }
    }

    /// Whether the axis occurs, free.
    pub(super) fn depends_on(&self, axis: Axis) -> bool {
        self.any(&mut |part| matches!(part, AxisNode::Axis(own) if *own == axis))
    }

    /// Whether a part fulfils this.
    pub(super) fn any(&self, test: &mut dyn FnMut(&AxisNode) -> bool) -> bool {
        if test(self) {
            return true;
        }
        let mut found = false;
        self.each(&mut |part| found = found || part.any(test));
        found
    }

    /// Whether the variable occurs.
    pub(super) fn mentions(&self, var: &PyVar) -> bool {
        self.any(&mut |part| matches!(part, AxisNode::Read(own, _) if **own == *var))
    }

    /// The axes that occur free, sorted.
    pub(super) fn axes(&self) -> Vec<Axis> {
        fn go(node: &AxisNode, all: &mut Vec<Axis>) {
            match node {
                AxisNode::Axis(axis) => all.push(*axis),
                AxisNode::Reduce(_, bound, body) => {
                    let mut own = Vec::new();
                    go(body, &mut own);
                    all.extend(own.into_iter().filter(|axis| axis != bound));
                }
                AxisNode::Scatter(s) => {
                    let mut own = Vec::new();
                    go(&s.key, &mut own);
                    go(&s.value, &mut own);
                    all.extend(own.into_iter().filter(|axis| *axis != s.over));
                    go(&s.place, all);
                }
                node => node.each(&mut |part| go(part, all)),
            }
        }
        let mut all = Vec::new();
        go(self, &mut all);
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The block that it needs: the innermost of its variables.
    pub(super) fn level(&self) -> usize {
        let own = if let AxisNode::Read(var, _) = self { var.level } else { 0 };
        let mut most = own;
        self.each(&mut |part| most = most.max(part.level()));
        most
    }

    /// Whether no derivative goes through it.
    pub(super) fn is_real_free(&self) -> bool {
        !self.any(&mut |part| matches!(part, AxisNode::Read(var, _) if !var.is_real_free))
    }

    /// Whether computing it again costs nothing.
    pub(super) fn is_cheap(&self) -> bool {
        match self {
            AxisNode::Real(_) | AxisNode::Int(_) | AxisNode::Size(_) | AxisNode::Axis(_) => true,
            AxisNode::Read(_, of) => of.iter().all(|index| matches!(index, AxisNode::Axis(_) | AxisNode::Int(_))),
            AxisNode::Prim(Prim::ToReal | Prim::ToInt, of) => of[0].is_cheap(),
            _ => false,
        }
    }
}

impl AxisValue {
    pub(super) fn pair(a: AxisValue, b: AxisValue) -> AxisValue {
        AxisValue::Pair(Rc::new((a, b)))
    }

    /// The same with `by` in the place of an axis.
    pub(super) fn at(&self, axis: Axis, by: &AxisNode) -> AxisValue {
        self.map(&mut |node| node.at(axis, by))
    }

    /// The same with other numbers.
    pub(super) fn map(&self, each: &mut dyn FnMut(&AxisNode) -> AxisNode) -> AxisValue {
        match self {
            AxisValue::Number(node) => AxisValue::Number(each(node)),
            AxisValue::Pair(p) => AxisValue::pair(p.0.map(each), p.1.map(each)),
            AxisValue::Array(axis, element) => AxisValue::Array(*axis, Rc::new(element.map(each))),
        }
    }

    /// Its numbers, each with the axes of the arrays around it.
    pub(super) fn leaves(&self) -> Vec<(Vec<Axis>, AxisNode)> {
        fn go(value: &AxisValue, around: &mut Vec<Axis>, all: &mut Vec<(Vec<Axis>, AxisNode)>) {
            match value {
                AxisValue::Number(node) => all.push((around.clone(), node.clone())),
                AxisValue::Pair(p) => {
                    go(&p.0, around, all);
                    go(&p.1, around, all);
                }
                AxisValue::Array(axis, element) => {
                    around.push(*axis);
                    go(element, around, all);
                    around.pop();
                }
            }
        }
        let mut all = Vec::new();
        go(self, &mut Vec::new(), &mut all);
        all
    }
}

/// The numbers that data of a type consists of: the lengths of the arrays around each, and what it is.
pub(super) fn parts(ty: &Type) -> Vec<(Vec<Size>, Number)> {
    fn go(ty: &Type, around: &mut Vec<Size>, all: &mut Vec<(Vec<Size>, Number)>) {
        match ty.view() {
            _ if !goes_on() => {}
            TypeView::Pair(a, b) => {
                go(a, around, all);
                go(b, around, all);
            }
            TypeView::Array(n, a) => {
                around.push(n.clone());
                go(a, around, all);
                around.pop();
            }
            TypeView::Real => all.push((around.clone(), Number::Real)),
            _ => all.push((around.clone(), Number::Int)),
        }
    }
    let mut all = Vec::new();
    go(ty, &mut Vec::new(), &mut all);
    all
}
