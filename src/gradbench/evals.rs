//! Lists the modules of the suite and their functions, with what each computes and how its inputs and outputs lie, as data.

/// A module of the suite.
pub(super) struct SuiteModule {
    pub(super) name: &'static str,
    pub(super) functions: &'static [SuiteFunction],
}

/// A function of it: a definition of a model after a strategy, and how inputs and outputs lie.
pub(super) struct SuiteFunction {
    pub(super) name: &'static str,
    pub(super) target: &'static str,
    pub(super) strategy: Option<&'static str>,
    pub(super) given: &'static [InputSpec],
    pub(super) answer: OutputSpec,
}

/// Lengths of an array: sizes by name, or numbers.
pub(super) type Dims = &'static [&'static str];

/// A parameter of the definition: the part of an input from which it is made, and how. A size is no parameter.
pub(super) enum InputSpec {
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
pub(super) enum OutputSpec {
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

const FAST_GRADIENT: Option<&str> = Some("fastGradient");

/// The block of an observation alone has the derivatives: the schedule works there.
const BLOCK_SCHEDULE: Option<&str> =
    Some("body(body(body(body(body(body(pairSecond(pairFirst(buildBody(fastGradient)))))))))");

const MIXTURE: &[InputSpec] = &[
    InputSpec::Size("n"),
    InputSpec::Size("d"),
    InputSpec::Size("k"),
    InputSpec::Reals("x", &["n", "d"]),
    InputSpec::Int("m"),
    InputSpec::Real("gamma"),
    InputSpec::Reals("alpha", &["k"]),
    InputSpec::Reals("mu", &["k", "d"]),
    InputSpec::Reals("q", &["k", "d"]),
    InputSpec::Below("l", "k", "d"),
];

const OBSERVATIONS: &[InputSpec] = &[
    InputSpec::Size("n"),
    InputSpec::Size("m"),
    InputSpec::Size("p"),
    InputSpec::Repeated("cam", "n", &["11"]),
    InputSpec::Repeated("x", "m", &["3"]),
    InputSpec::Repeated("w", "p", &[]),
    InputSpec::Round("p", "n"),
    InputSpec::Round("p", "m"),
    InputSpec::Repeated("feat", "p", &["2"]),
];

const CLUSTERS: &[InputSpec] = &[InputSpec::Reals("points", &["n", "d"]), InputSpec::Reals("centroids", &["k", "d"])];

const FITTED: &[InputSpec] = &[InputSpec::Reals("x", &["m"]), InputSpec::Size("n")];

const fn function(
    name: &'static str,
    target: &'static str,
    strategy: Option<&'static str>,
    given: &'static [InputSpec],
    answer: OutputSpec,
) -> SuiteFunction {
    SuiteFunction { name, target, strategy, given, answer }
}

/// All of them.
pub(super) const MODULES: &[SuiteModule] = &[
    SuiteModule {
        name: "hello",
        functions: &[
            function("square", "models/square.arr:square", None, &[InputSpec::Whole], OutputSpec::Real),
            function("double", "models/square.arr:double", FAST_GRADIENT, &[InputSpec::Whole], OutputSpec::Real),
        ],
    },
    SuiteModule {
        name: "llsq",
        functions: &[
            function("primal", "models/least_squares.arr:signLoss", None, FITTED, OutputSpec::Real),
            function(
                "gradient",
                "models/least_squares.arr:gradientSign",
                FAST_GRADIENT,
                FITTED,
                OutputSpec::Reals(&["m"]),
            ),
        ],
    },
    SuiteModule {
        name: "lse",
        functions: &[
            function(
                "primal",
                "models/log_sum_exp.arr:smoothMaximum",
                None,
                &[InputSpec::Reals("x", &["n"])],
                OutputSpec::Real,
            ),
            function(
                "gradient",
                "models/log_sum_exp.arr:gradient",
                FAST_GRADIENT,
                &[InputSpec::Reals("x", &["n"])],
                OutputSpec::Reals(&["n"]),
            ),
        ],
    },
    SuiteModule {
        name: "kmeans",
        functions: &[
            function("cost", "models/kmeans.arr:cost", None, CLUSTERS, OutputSpec::Real),
            function("dir", "models/kmeans.arr:dir", FAST_GRADIENT, CLUSTERS, OutputSpec::Reals(&["k", "d"])),
        ],
    },
    SuiteModule {
        name: "gmm",
        functions: &[
            function("objective", "models/mixture.arr:objective", FAST_GRADIENT, MIXTURE, OutputSpec::Real),
            function("jacobian", "models/mixture.arr:gradient", FAST_GRADIENT, MIXTURE, OutputSpec::Mixture),
        ],
    },
    SuiteModule {
        name: "ba",
        functions: &[
            function("objective", "models/bundle_adjustment.arr:errors", None, OBSERVATIONS, OutputSpec::Errors),
            function(
                "jacobian",
                "models/bundle_adjustment.arr:rowsOfJacobian",
                BLOCK_SCHEDULE,
                OBSERVATIONS,
                OutputSpec::Rows,
            ),
        ],
    },
];
