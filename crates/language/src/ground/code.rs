//! Lists the stable codes of diagnostics. A code never changes its meaning and is never used again.

use std::fmt;

/// A stable code of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DiagnosticCode(pub &'static str);

impl fmt::Display for DiagnosticCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $code:literal;)*) => {
        $($(#[doc = $doc])+ pub const $name: DiagnosticCode = DiagnosticCode($code);)*
        /// Every code with its meaning.
        pub const ALL: &[(DiagnosticCode, &str)] = &[$(($name, concat!($($doc),+))),*];
    };
}

codes! {
    /// The text doesn't follow the grammar.
    SYNTAX = "E0101";
    /// A comment is never closed.
    UNTERMINATED_COMMENT = "E0102";
    /// A numeral can't be represented.
    BAD_NUMBER = "E0103";
    /// A reserved word stands where a name is needed.
    RESERVED_WORD = "E0104";
    /// A comment begins where an operation may be meant.
    COMMENT_AS_OPERATION = "E0105";
    /// Two types, or two sizes, that must be equal are not.
    MISMATCH = "E0201";
    /// Something that is no function is applied.
    NOT_A_FUNCTION = "E0202";
    /// An index may be out of range.
    OUT_OF_RANGE = "E0203";
    /// A constant of type `fin n` is not below n for every n.
    FIN_TOO_LARGE = "E0204";
    /// An operator has no meaning at the types of its operands.
    BAD_OPERANDS = "E0205";
    /// A size may be below the lower bound that is asked for.
    BELOW_BOUND = "E0206";
    /// A size or a type can't be inferred.
    UNDETERMINED = "E0207";
    /// A type would have to contain itself.
    INFINITE_TYPE = "E0208";
    /// A size is too large.
    SIZE_TOO_LARGE = "E0209";
    /// Something that is no array, or no pair, is taken apart.
    NOT_A_CONTAINER = "E0210";
    /// D can't be taken here.
    NOT_DIFFERENTIABLE = "E0211";
    /// A function under D isn't known while the model is read.
    UNKNOWN_STATIC = "E0212";
    /// A definition with static parameters is used as a value.
    STATIC_VALUE = "E0213";
    /// A computed index isn't shown to be in range.
    RANGE_NOT_SHOWN = "E0214";
    /// What is to be transposed isn't linear.
    NOT_LINEAR = "E0215";
    /// A name that nothing binds is taken for a size.
    GUESSED_SIZE = "W0201";
    /// A name that nothing defines.
    UNKNOWN_NAME = "E0301";
    /// A definition uses itself.
    RECURSION = "E0302";
    /// A name is defined twice in one place.
    DUPLICATE = "E0303";
    /// A size or type name that nothing binds.
    UNKNOWN_SIZE = "E0304";
    /// A model has no such definition.
    NO_SUCH_DEFINITION = "E0305";
    /// A file can't be read.
    UNREADABLE = "E0401";
    /// A file isn't UTF-8.
    NOT_UTF8 = "E0402";
    /// Files import each other in a cycle.
    IMPORT_CYCLE = "E0403";
    /// A file can't be written.
    UNWRITABLE = "E0404";
    /// A path lies outside the folders that a script may use.
    FORBIDDEN_PATH = "E0405";
    /// A rule isn't well-formed.
    BAD_RULE = "E0501";
    /// The sides of a rule differ in type.
    RULE_SIDES = "E0502";
    /// A rule's right side has a variable that the left side lacks.
    RULE_UNBOUND = "E0503";
    /// A rule was given the wrong number of parameters.
    RULE_PARAMETERS = "E0504";
    /// A rule changes what terms mean.
    UNSOUND_RULE = "E0505";
    /// A rule couldn't be tested, or some branch of it.
    UNTESTED_RULE = "W0501";
    /// A strategy that can't end.
    NEVER_ENDS = "E0601";
    /// A strategy failed where it had to succeed.
    STRATEGY_FAILED = "E0602";
    /// An expression is no strategy.
    NOT_A_STRATEGY = "E0603";
    /// A path leads nowhere.
    NO_SUCH_PATH = "E0604";
    /// There is no term to work on.
    NO_TERM = "E0605";
    /// No such rule or strategy.
    UNKNOWN_STRATEGY = "E0606";
    /// A repetition that came back to a term that it had before.
    LOOP = "E0607";
    /// A statement makes a strategy that nothing uses.
    UNUSED_STRATEGY = "E0608";
    /// A step of a derivation changes what a term means, or no run tells whether any does.
    INVALID_STEP = "E0609";
    /// A derivative that differs from finite differences of its primal.
    NO_DERIVATIVE = "E0610";
    /// A step of a derivation loses digits.
    LOST_DIGITS = "E0611";
    /// A rule in a repetition leaves what it rewrites again.
    RESTARTS = "W0601";
    /// Two rules in one repetition undo each other.
    UNDONE = "W0602";
    /// A part of a strategy that is never tried.
    DEAD_BRANCH = "W0603";
    /// A rule that never gets a turn, because one to its left applies wherever it does.
    SHADOWED = "W0604";
    /// A rule for types that the term doesn't have, unless it stands in what a library defines.
    IDLE_RULE = "W0605";
    /// A run that left far more than it began with.
    GROWTH = "W0606";
    /// Opposite terms of a sum were taken for real numbers.
    CANCELLED = "W0607";
    /// A script went wrong.
    SCRIPT = "E0701";
    /// A REPL command isn't understood.
    COMMAND = "E0702";
    /// JSON that isn't well-formed, or a number out of range.
    BAD_JSON = "E0801";
    /// An input has the wrong shape.
    INPUT_SHAPE = "E0802";
    /// An input is missing.
    INPUT_MISSING = "E0803";
    /// An input that no parameter takes.
    INPUT_SUPERFLUOUS = "E0804";
    /// Sizes of inputs contradict each other or a lower bound, or are too large.
    INPUT_SIZES = "E0805";
    /// What can't be evaluated to data.
    NOT_DATA = "E0806";
    /// NaN that comes of a zero times an infinite slope.
    INFINITE_SLOPE = "W0801";
    /// What can't be exported.
    NOT_EXPORTABLE = "E0901";
    /// A document has another answer than the one that is given.
    DIFFERENT_ANSWER = "E1001";
    /// A file isn't in the layout of `redexter fmt`.
    NOT_FORMATTED = "E1002";
    /// A lesson lacks something, or isn't as it says.
    LESSON = "E1003";
    /// A block of a document isn't checked, and its word is nearly one of those that are.
    UNREAD_BLOCK = "W1001";
    /// Redexter contradicts itself: a bug.
    INTERNAL = "E0999";
}
