//! The functions of the crate `libm` that the facade has with derivatives.

const NAMES: &str = "\
    acos acosf acosh acoshf asin asinf asinh asinhf atan atan2 atan2f atanf atanh atanhf cbrt \
    cbrtf ceil ceilf copysign copysignf cos cosf cosh coshf erf erfc erfcf erff exp exp10 exp10f \
    exp2 exp2f expf expm1 expm1f fabs fabsf fdim fdimf floor floorf fma fmaf fmax fmaxf fmaximum \
    fmaximum_num fmaximum_numf fmaximumf fmin fminf fminimum fminimum_num fminimum_numf \
    fminimumf fmod fmodf frexp frexpf hypot hypotf j0 j0f j1 j1f jn jnf ldexp ldexpf lgamma \
    lgamma_r lgammaf lgammaf_r log log10 log10f log1p log1pf log2 log2f logf modf modff pow powf \
    remainder remainderf rint rintf round roundeven roundevenf roundf scalbn scalbnf sin sincos \
    sincosf sinf sinh sinhf sqrt sqrtf tan tanf tanh tanhf tgamma tgammaf trunc truncf y0 y0f y1 \
    y1f yn ynf";

/// The function of a name, if it is one of these.
pub fn function(name: &str) -> Option<&'static str> {
    NAMES.split(' ').find(|&known| known == name)
}

/// The type of what a function returns, as Rust spells it.
pub fn result(function: &str) -> &'static str {
    match function {
        "frexp" | "lgamma_r" => "(f64, i32)",
        "frexpf" | "lgammaf_r" => "(f32, i32)",
        "modf" | "sincos" => "(f64, f64)",
        "modff" | "sincosf" => "(f32, f32)",
        name if name.strip_suffix('f').and_then(self::function).is_some() => "f32",
        _ => "f64",
    }
}
