//! Tangents in several directions.

use crate::analyses::{Facts, Optimisation, Optimisations};
use crate::diff::{NoTangent, Tangent, UnseenTests, following_tests, in_several_directions};
use crate::ir::Body;
use crate::reify::Reified;
use crate::simplify::simplify;

/// The tangent in several directions, which follows tests if it can.
pub(super) fn in_directions(
    primal: &Body,
    reified: &Reified,
    facts: &Facts,
    tangent: &Tangent,
    enabled: Optimisations,
) -> Tangent {
    let mut plain = in_several_directions(tangent, primal);
    let guarded = Optimisations::ALL.without(Optimisation::Unguarded);
    if enabled.without(Optimisation::Unguarded) != guarded {
        plain.refusal.get_or_insert(NoTangent::ForComparison);
    }
    if plain.refusal.is_some() {
        return plain;
    }
    let unseen = match following_tests(primal, reified, facts) {
        Ok(None) => return plain,
        Ok(Some(mut following)) => {
            simplify(&mut following.body);
            let following = in_several_directions(&following, primal);
            if following.refusal.is_none() {
                return following;
            }
            UnseenTests::NoTangent
        }
        Err(unseen) => unseen,
    };
    Tangent { unseen: Some(unseen), ..plain }
}
