//! Lists the modules of the suite and their functions, with what each computes and how its inputs and outputs lie, as data.

/// A module of the suite.
pub(super) struct Module {
    pub(super) name: &'static str,
    pub(super) functions: &'static [Function],
}

/// A function of it: a definition of a model after a strategy, and how inputs and outputs lie.
pub(super) struct Function {
    pub(super) name: &'static str,
    pub(super) target: &'static str,
    pub(super) strategy: Option<&'static str>,
    pub(super) given: &'static [Given],
    pub(super) answer: Answer,
}

/// Lengths of an array: sizes by name, or numbers.
pub(super) type Dims = &'static [&'static str];

/// A parameter of the definition: the part of an input from which it is made, and how. A size is no parameter.
pub(super) enum Given {
    /// The input itself, a number.
    Whole,
    /// A whole number that is a size, and no parameter.
    Size(&'static str),
    /// A number.
    Real(&'static str),
    /// A whole number.
    Int(&'static str),
    /// An array of numbers, or one of arrays.
    Reals(&'static str, Dims),
    /// The parts below the diagonals of so many square matrices, packed column by column.
    Below(&'static str, &'static str, &'static str),
    /// Numbers that stand there so many times.
    Repeated(&'static str, &'static str, Dims),
    /// Indices 0, 1, … below the second size, over and over, as many as the first one says.
    Round(&'static str, &'static str),
}

/// The form that the results have as an output.
pub(super) enum Answer {
    /// A number.
    Real,
    /// An array of numbers, or one of arrays.
    Reals(Dims),
    /// An object of a mixture's four parameters, whose matrices are packed as they came.
    Mixture,
    /// Errors of observations that are all alike: the first one, and how often it is there.
    Errors,
    /// Rows of a sparse matrix, of which the suite looks at the first observation's and at the last entry.
    Rows,
}

const FAST: Option<&str> = Some("fastGradient");

/// The block of an observation alone has the derivatives: the schedule works there.
const BLOCKS: Option<&str> = Some("body(body(body(body(body(body(pairSecond(pairFirst(buildBody(fastGradient)))))))))");

const MIXTURE: &[Given] = &[
    Given::Size("n"),
    Given::Size("d"),
    Given::Size("k"),
    Given::Reals("x", &["n", "d"]),
    Given::Int("m"),
    Given::Real("gamma"),
    Given::Reals("alpha", &["k"]),
    Given::Reals("mu", &["k", "d"]),
    Given::Reals("q", &["k", "d"]),
    Given::Below("l", "k", "d"),
];

const OBSERVATIONS: &[Given] = &[
    Given::Size("n"),
    Given::Size("m"),
    Given::Size("p"),
    Given::Repeated("cam", "n", &["11"]),
    Given::Repeated("x", "m", &["3"]),
    Given::Repeated("w", "p", &[]),
    Given::Round("p", "n"),
    Given::Round("p", "m"),
    Given::Repeated("feat", "p", &["2"]),
];

const CLUSTERS: &[Given] = &[Given::Reals("points", &["n", "d"]), Given::Reals("centroids", &["k", "d"])];

const FITTED: &[Given] = &[Given::Reals("x", &["m"]), Given::Size("n")];

const fn function(
    name: &'static str,
    target: &'static str,
    strategy: Option<&'static str>,
    given: &'static [Given],
    answer: Answer,
) -> Function {
    Function { name, target, strategy, given, answer }
}

/// All of them.
pub(super) const MODULES: &[Module] = &[
    Module {
        name: "hello",
        functions: &[
            function("square", "models/square.arr:square", None, &[Given::Whole], Answer::Real),
            function("double", "models/square.arr:double", FAST, &[Given::Whole], Answer::Real),
        ],
    },
    Module {
        name: "llsq",
        functions: &[
            function("primal", "models/least_squares.arr:signLoss", None, FITTED, Answer::Real),
            function("gradient", "models/least_squares.arr:gradientSign", FAST, FITTED, Answer::Reals(&["m"])),
        ],
    },
    Module {
        name: "lse",
        functions: &[
            function(
                "primal",
                "models/log_sum_exp.arr:smoothMaximum",
                None,
                &[Given::Reals("x", &["n"])],
                Answer::Real,
            ),
            function(
                "gradient",
                "models/log_sum_exp.arr:gradient",
                FAST,
                &[Given::Reals("x", &["n"])],
                Answer::Reals(&["n"]),
            ),
        ],
    },
    Module {
        name: "kmeans",
        functions: &[
            function("cost", "models/kmeans.arr:cost", None, CLUSTERS, Answer::Real),
            function("dir", "models/kmeans.arr:dir", FAST, CLUSTERS, Answer::Reals(&["k", "d"])),
        ],
    },
    Module {
        name: "gmm",
        functions: &[
            function("objective", "models/mixture.arr:objective", FAST, MIXTURE, Answer::Real),
            function("jacobian", "models/mixture.arr:gradient", FAST, MIXTURE, Answer::Mixture),
        ],
    },
    Module {
        name: "ba",
        functions: &[
            function("objective", "models/bundle_adjustment.arr:errors", None, OBSERVATIONS, Answer::Errors),
            function("jacobian", "models/bundle_adjustment.arr:rowsOfJacobian", BLOCKS, OBSERVATIONS, Answer::Rows),
        ],
    },
];
