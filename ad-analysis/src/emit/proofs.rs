//! What the forward sweep proves to rustc about the places of an active statement: what is indexed is a
//! list, and no derivative is lost in a field that has no bar.

use super::body::Emitter;
use super::types::known;
use super::{at, respanned};
use crate::derive::{field_query, number_of_field};
use crate::index::{Index, Point, Var, Zone};
use crate::ir::{
    ArgKind, Binding, Body, Callee, Expr, ExprKind, Op, Place, Projection, Stmt, StmtKind,
    each_expr, each_place, each_stmt, each_written_place, places_in,
};
use crate::types::Type;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::collections::BTreeSet;

/// Statements around another.
#[derive(Default)]
pub(super) struct Proofs {
    pub(super) before: TokenStream,
    pub(super) after: TokenStream,
}

impl Emitter<'_> {
    /// The proofs for a statement of the primal, where it is active.
    pub(super) fn proofs(&self, stmt: &Stmt) -> Proofs {
        let facts = self.product.facts;
        if stmt.id.position() >= self.primal.numbering.stmts as usize {
            return Proofs::default();
        }
        let mut before = self.clone_proof(stmt);
        if let StmtKind::Call(call) = &stmt.kind {
            before.extend(self.resolution_proof(call, stmt.span));
        }
        before.extend(self.direction_references(stmt));
        let point = facts.graph.at(stmt.id);
        for var in self.unchanged(point) {
            let (rt, value) = (&self.rt, self.shared(&Place::var(var)));
            let unchanged = Ident::new("unchanged", at(self.body.vars[var].span));
            before.extend(quote_spanned! {at(stmt.span)=>
                {
                    #[allow(unused_imports)]
                    use #rt::SeenWhole as _;
                    #rt::Seen(#value).#unchanged();
                }
            });
        }
        each_expr(stmt, &mut |expr| {
            places_in(expr, &mut |place| self.constant_proof(place, stmt.span, &mut before));
            self.comparison_proofs(expr, &mut before);
            self.length_proofs(expr, &mut before);
        });
        each_place(stmt, &mut |place| {
            self.box_proofs(place, stmt.span, &mut before);
            if self.changed_in_part().contains(&self.primal.resolve(place).root) {
                self.field_proofs(place, stmt.span, &mut before);
                if let Binding::View(view) = &self.primal.vars[place.root].binding {
                    self.field_proofs_of_reference(&view.place, stmt.span, &mut before);
                }
            }
        });
        if !facts.is_active(point) {
            return Proofs { before, after: TokenStream::new() };
        }
        let mut varied: Vec<Place> = Vec::new();
        each_expr(stmt, &mut |expr| {
            places_in(expr, &mut |place| {
                if self.is_varied(point, place) {
                    varied.push(place.clone());
                }
            });
        });
        varied.iter().for_each(|place| self.way_proofs(place, stmt.span, &mut before));
        let mut after = TokenStream::new();
        match &stmt.kind {
            StmtKind::Let { var, value: Some(value) } => {
                self.literal_proofs(&Place::var(*var), value, point, &mut after);
            }
            StmtKind::Assign { place, value } => {
                self.write_proofs(place, stmt.span, &mut after);
                self.literal_proofs(place, value, point, &mut after);
                self.way_proofs(place, stmt.span, &mut before);
            }
            StmtKind::Call(call) => {
                for arg in &call.args {
                    let (ArgKind::Shared(place) | ArgKind::Exclusive(place)) = &arg.kind else {
                        continue;
                    };
                    self.way_proofs(place, stmt.span, &mut before);
                    if let ArgKind::Exclusive(place) = &arg.kind {
                        self.write_proofs(place, stmt.span, &mut after);
                    }
                }
            }
            _ => {}
        }
        Proofs { before, after }
    }

    /// What a statement could change behind a shared reference and must not: the backward sweep reads it as it was before, or a derivative
    /// would be lost on the way through it.
    fn unchanged(&self, point: Point) -> BTreeSet<Var> {
        let facts = self.product.facts;
        let effects = &facts.graph.info(point).effects;
        let carries = |zone: &Zone| facts.zones.may_carry_floats(*zone);
        let from: Vec<Zone> = effects.uses.iter().copied().filter(carries).collect();
        let is_way = |var: &Var| {
            let to: Vec<Zone> = facts.zones.of_var(*var).into_iter().filter(carries).collect();
            !facts.activity.exact(point, &from, &to).is_never()
        };
        let is_active = facts.is_active(point);
        // A callee that has an adjoint proves what it does. What users mark in a type with bars is theirs to know.
        let has_bars = |var: &Var| {
            self.primal.independents.contains(var) || self.primal.dependents.contains(var)
        };
        let lent = effects.lent.iter().filter(|var| !is_active && !has_bars(var));
        let ways = effects.interior.iter().chain(lent).copied().filter(is_way);
        ways.chain(facts.storage.unchanged(point).iter().copied()).collect()
    }

    /// A clone of a value of a type that the macro does not see is taken for a copy, which shares nothing
    /// with the original: that is so if it has a bar, or is plain data and `Copy`. What is called is no method that takes the value itself, which would be
    /// found first, and none with an adjoint of its own, which makes something else than a copy.
    fn clone_proof(&self, stmt: &Stmt) -> TokenStream {
        let Some(cloned) = cloned_in(stmt) else { return TokenStream::new() };
        let ty = self.body.place_type(cloned);
        let is_known = known(&ty).is_some();
        let mut is_users = false;
        each_stmt(&self.primal.block, &mut |other| {
            is_users |= other.id == stmt.id && cloned_in(other).is_some();
        });
        if is_known || !is_users {
            return TokenStream::new();
        }
        let span = at(stmt.span);
        let method = self.method_name(&Ident::new("clone", span), "method", span);
        let (rt, cloned) = (&self.rt, self.shared(cloned));
        let is_copied = self.proof_of_copy(&cloned, &ty, span);
        quote_spanned! {span=>
            if false {
                trait __ByValue: Sized {
                    fn clone(self) {}
                }
                impl<T> __ByValue for T {}
                trait __Method {
                    fn #method(&self) -> #rt::Unannotated {
                        #rt::Unannotated
                    }
                }
                impl<T: ?Sized> __Method for &T {}
                #is_copied
                let () = #rt::method::like(#cloned).clone();
                #rt::method::copies((#cloned).#method());
            }
        }
    }

    /// Proves that a clone of what is referred to is a copy, as far as that is not known: it has a bar, or is `Copy`. What holds no floats by its
    /// declaration is.
    fn proof_of_copy(&self, reference: &TokenStream, ty: &Type, span: Span) -> TokenStream {
        let rt = &self.rt;
        match ty {
            ty if known(ty).is_some() => TokenStream::new(),
            Type::Named(name) if name.is_without_floats() => TokenStream::new(),
            Type::Tuple(fields) => {
                let fields = fields.iter().enumerate().map(|(position, field)| {
                    let position = Literal::usize_unsuffixed(position);
                    let part = quote_spanned!(span=> &(*#reference).#position);
                    self.proof_of_copy(&part, field, span)
                });
                fields.collect()
            }
            ty if ty.may_carry_floats() => {
                quote_spanned!(span=> let _ = #rt::Shape::of(#reference);)
            }
            _ => quote_spanned! {span=> {
                fn copied<T: ::core::marker::Copy>(_: &T) {}
                copied(#reference);
            }},
        }
    }

    /// In the tangent as a function: what refers to a part of a direction must not refer to a field without a bar, where that has a copy
    /// of the value. What loads such a part asks for itself.
    fn direction_references(&self, stmt: &Stmt) -> TokenStream {
        let proofs = self.primal.directions_referred_to(stmt);
        proofs.iter().map(|place| self.has_bar_proof(place, at(stmt.span))).collect()
    }

    fn is_varied(&self, point: Point, place: &Place) -> bool {
        let facts = self.product.facts;
        let zones = facts.zones.of_place(&self.primal.resolve(place));
        facts.activity.is_varied(point, &zones)
    }

    /// The parts of a place that are indexed, and that the macro does not see to be lists.
    fn unknown_lists(&self, place: &Place) -> Vec<Place> {
        let mut owner = Place::var(place.root);
        let mut lists = Vec::new();
        for step in &place.projections {
            let is_list = self.body.proven_place_type(&owner).element().is_some();
            let is_indexed = match step {
                Projection::Index(_) | Projection::Slice { .. } => true,
                Projection::Field(_) | Projection::Boxed | Projection::Got { .. } => false,
            };
            if is_indexed && !is_list {
                lists.push(owner.clone());
            }
            owner = owner.then(step.clone());
        }
        lists
    }

    /// What is in a box on the way to a place is in one of the standard library: finding it calls nothing of the user's. Of what a
    /// reference refers to, which may be borrowed here, only the type is looked at.
    fn box_proofs(&self, place: &Place, span: Span, out: &mut TokenStream) {
        let (rt, span) = (&self.rt, at(span));
        for owner in boxes_on_the_way(place) {
            let proof = self.of_owner(
                &owner,
                self.shared(&owner),
                |owner| quote_spanned!(span=> #rt::boxed(#owner);),
            );
            out.extend(self.once(&owner, quote_spanned!(span=> if false { #proof })));
        }
        let Binding::View(view) = &self.primal.vars[place.root].binding else { return };
        for owner in boxes_on_the_way(&view.place) {
            let proof = self.told_apart(|shown| {
                let owner = self.type_of_place(&owner, shown);
                quote_spanned!(span=> #rt::boxed(&#owner);)
            });
            out.extend(self.once(&owner, quote_spanned!(span=> if false { #proof })));
        }
    }

    /// What is gone through from its first element to its last is a list of the standard library: the items of a type of the user's
    /// need not be what it gives for indices.
    fn length_proofs(&self, expr: &Expr, out: &mut TokenStream) {
        let ExprKind::Op(op, operands) = &expr.kind else { return };
        operands.iter().for_each(|operand| self.length_proofs(operand, out));
        let (Op::Len, [list]) = (op, operands.as_slice()) else { return };
        let Some(list) = list.as_place() else { return };
        if self.body.proven_place_type(list).element().is_none() {
            let (rt, span, tokens) = (&self.rt, at(expr.span), self.shared(list));
            out.extend(self.once(list, quote_spanned!(span=> if false { #rt::length(#tokens); })));
            for method in self.primal.methods_of_lists.values() {
                out.extend(self.once(list, self.lookup_proof_of_list(list, method)));
            }
        }
    }

    /// A method that goes through a list is one of its type, for all that may be called so: of the list, and of a reference to it if that is
    /// what the user calls it on.
    fn lookup_proof_of_list(&self, list: &Place, method: &Ident) -> TokenStream {
        let span = at(method.span());
        let rt = respanned(self.rt.clone(), span);
        let value = respanned(self.shared(list), span);
        let reference = match &self.body.vars[list.root].binding {
            Binding::Exclusive => quote!(&mut),
            Binding::Value | Binding::Shared | Binding::View(_) | Binding::Global(_) => quote!(&),
        };
        let args = match method.to_string().as_str() {
            "iter" => TokenStream::new(),
            "map" | "mapv" => quote!(|x| x),
            _ => quote!(1),
        };
        let method = Ident::new(&method.to_string(), span);
        let traits = ["ByValue", "ByShared", "ByExclusive"].map(|found| Ident::new(found, span));
        quote_spanned! {span=>
            if false {
                #({
                    use #rt::lists::#traits as _;
                    let _ = #rt::method::like(#value).#method(#args);
                    let _ = (#reference #rt::method::like(#value)).#method(#args);
                })*
            }
        }
    }

    /// What compares values of users looks at them only, and finds the same again: it could change no more than what is behind a `Cell`.
    fn comparison_proofs(&self, expr: &Expr, out: &mut TokenStream) {
        let ExprKind::Op(op, operands) = &expr.kind else { return };
        operands.iter().for_each(|operand| self.comparison_proofs(operand, out));
        if !matches!(op, Op::Binary(operator) if operator.is_test()) {
            return;
        }
        let (rt, span) = (&self.rt, at(expr.span));
        for place in operands.iter().filter_map(Expr::as_place) {
            if known(&self.body.proven_place_type(place)).is_none() {
                let value = self.shared(place);
                let proof =
                    quote_spanned!(span=> if false { #rt::without_interior_mutability(#value); });
                out.extend(self.once(place, proof));
            }
        }
    }

    /// What is found in a constant or a static is read again wherever it is needed: it is a list that is indexed there, and no
    /// function of the user's is called.
    fn constant_proof(&self, place: &Place, span: Span, out: &mut TokenStream) {
        if !matches!(self.body.vars[place.root].binding, Binding::Global(_)) {
            return;
        }
        let (rt, span) = (&self.rt, at(span));
        for list in self.unknown_lists(place) {
            let tokens = self.shared(&list);
            let proof = quote_spanned!(span=> if false { #rt::list(#tokens); });
            out.extend(self.once(&list, proof));
        }
    }

    /// The way to a place consists of fields of the values themselves and of indices of lists: what a
    /// type of the user's makes of an index or a `Deref`, only that type knows.
    fn way_proofs(&self, place: &Place, span: Span, out: &mut TokenStream) {
        let (rt, span) = (&self.rt, at(span));
        for list in self.unknown_lists(place) {
            let tokens = self.shared(&list);
            let proof = quote_spanned!(span=> if false { #rt::list(#tokens); });
            out.extend(self.once(&list, proof));
        }
        self.field_proofs(place, span, out);
    }

    /// The fields on the way to a place are those of the values themselves. Of a variable of which a field is written, that holds of all that
    /// is read and written, whether or not it is active: of two ways to one field only one would be seen to be written.
    fn field_proofs(&self, place: &Place, span: Span, out: &mut TokenStream) {
        let (rt, span) = (&self.rt, at(span));
        for (owner, name) in self.struct_fields(place) {
            let field = Literal::u128_unsuffixed(number_of_field(&name));
            let proof = self.of_owner(&owner, self.shared(&owner), |owner| {
                quote_spanned! {span=>
                    use #rt::direct::*;
                    #rt::direct_field((&&&&&Owner::<_, #field>(#owner)).way());
                }
            });
            out.extend(self.once(&owner, quote_spanned!(span=> if false { #proof })));
        }
    }

    /// The same of what a reference refers to, which may be borrowed here: only its type is looked at.
    fn field_proofs_of_reference(&self, place: &Place, span: Span, out: &mut TokenStream) {
        let (rt, span) = (&self.rt, at(span));
        for (owner, name) in self.struct_fields(place) {
            let field = Literal::u128_unsuffixed(number_of_field(&name));
            let proof = self.told_apart(|shown| {
                let owner = self.type_of_place(&owner, shown);
                quote_spanned! {span=>
                    use #rt::direct::*;
                    #rt::direct_field((&&&&&Owner::<_, #field>(&#owner)).way());
                }
            });
            out.extend(self.once(&owner, quote_spanned!(span=> if false { #proof })));
        }
    }

    /// What proves something of the type of a value. As long as a `&mut` to a part of it is used, it must not be mentioned itself.
    fn of_owner(
        &self,
        owner: &Place,
        itself: TokenStream,
        proof: impl FnOnce(TokenStream) -> TokenStream,
    ) -> TokenStream {
        if !self.is_lent_in_part(owner) {
            return proof(itself);
        }
        self.told_apart(|shown| {
            let like_it = self.type_of_place(owner, shown);
            proof(quote!(&#like_it))
        })
    }

    /// Whether anything refers to a part of what is at a place by a `&mut`.
    fn is_lent_in_part(&self, owner: &Place) -> bool {
        let (root, owner) = (owner.root, self.primal.resolve(owner));
        let views = self.lent_parts.get_or_init(|| {
            let mut views = Vec::new();
            each_stmt(&self.primal.block, &mut |stmt| {
                if let StmtKind::Bind { view } = stmt.kind
                    && let Binding::View(target) = &self.primal.vars[view].binding
                    && target.mutable
                {
                    views.push((view, target.place.clone()));
                }
            });
            views
        });
        views.iter().any(|(view, part)| {
            *view != root
                && part.root == owner.root
                && part.projections.len() > owner.projections.len()
                && part.projections.starts_with(&owner.projections)
        })
    }

    /// The variables of which a field is written somewhere in the function.
    fn changed_in_part(&self) -> &BTreeSet<Var> {
        self.changed_in_part.get_or_init(|| {
            let mut changed = BTreeSet::new();
            each_stmt(&self.primal.block, &mut |stmt| {
                each_written_place(stmt, &mut |place| {
                    let place = self.primal.resolve(place);
                    let is_part = place.projections.iter().any(Projection::is_fixed);
                    changed.extend(is_part.then_some(place.root));
                });
            });
            changed
        })
    }

    /// A proof, unless there was the same before.
    fn once(&self, of: &Place, proof: TokenStream) -> Option<TokenStream> {
        let key = format!("{:?} {proof}", of.root);
        self.proved.borrow_mut().insert(key).then_some(proof)
    }

    /// What is written to a field must have a bar there.
    fn write_proofs(&self, place: &Place, span: Span, out: &mut TokenStream) {
        let rt = &self.rt;
        for (owner, name) in self.struct_fields(place) {
            let query = self.field_query(&name);
            let proof = self.of_owner(&owner, self.place(&owner), |owner| {
                let kind = quote!((#owner).#query());
                quote_spanned!(at(span)=> #rt::writable(#kind);)
            });
            out.extend(quote_spanned!(at(span)=> if false { #proof }));
        }
    }

    /// The fields of struct literals are written, too.
    fn literal_proofs(&self, place: &Place, value: &Expr, point: Point, out: &mut TokenStream) {
        let ExprKind::Op(op, args) = &value.kind else { return };
        let part = |position: usize| match op {
            Op::Struct(_, fields) => {
                fields.get(position).map(|name| place.then(Projection::Field(name.clone())))
            }
            Op::Tuple => Some(place.field(position)),
            Op::Boxed => Some(place.then(Projection::Boxed)),
            Op::Array | Op::Vec => Some(place.index(Expr::usize(position))),
            _ => None,
        };
        for (position, arg) in args.iter().enumerate() {
            let Some(part) = part(position) else { return };
            let mut varied = false;
            places_in(arg, &mut |read| varied |= self.is_varied(point, read));
            // What is counted or compared has no derivative, whatever it is found out of.
            if !varied || !arg.ty.may_carry_floats() {
                continue;
            }
            if matches!(op, Op::Struct(..)) {
                let (rt, span) = (&self.rt, at(arg.span));
                if let Projection::Field(name) = &part.projections[part.projections.len() - 1] {
                    let kind = self.field_kind(place, name);
                    out.extend(quote_spanned!(span=> if false { #rt::writable(#kind); }));
                }
            }
            self.literal_proofs(&part, arg, point, out);
        }
    }

    /// What declarations say to be marked `#[passive]` is so.
    pub(super) fn passive_proofs(&self) -> Option<TokenStream> {
        let rt = &self.rt;
        let fields = self.product.facts.zones.passive_fields();
        let kinds: Vec<_> = fields.map(|(owner, name)| self.field_kind(&owner, name)).collect();
        (!kinds.is_empty()).then(|| quote!(if false { #(#rt::passive_field(#kinds);)* }))
    }

    /// The function that tells whether a field has a bar.
    pub(super) fn field_query(&self, name: &str) -> Ident {
        format_ident!("{}", field_query(name))
    }

    /// Every value says of every field that it has a bar, unless its type knows better. The trait is for
    /// the fields that the tokens of a sweep ask for. Methods are looked for in the packs, too.
    pub(super) fn fallbacks(&self, sweep: &TokenStream) -> TokenStream {
        let packs = self.packs_in_scope();
        let fields = self.fallbacks_of_fields(sweep);
        quote!(#packs #fields)
    }

    fn packs_in_scope(&self) -> TokenStream {
        let mut has_methods = false;
        let mut visit = |stmt: &Stmt| {
            has_methods |= matches!(&stmt.kind, StmtKind::Call(call) if matches!(call.callee, Callee::Method(_)));
        };
        each_stmt(&self.body.block, &mut visit);
        each_stmt(&self.primal.block, &mut visit);
        let rt = &self.rt;
        if has_methods { quote!(use #rt::packs::methods::*;) } else { TokenStream::new() }
    }

    fn fallbacks_of_fields(&self, sweep: &TokenStream) -> TokenStream {
        let rt = &self.rt;
        let fields = fields_of(self.body).into_iter().chain(fields_of(self.primal));
        let fields: BTreeSet<String> = fields.collect();
        if fields.is_empty() {
            return TokenStream::new();
        }
        let text = sweep.to_string();
        let asked = fields.into_iter().filter(|name| {
            let query = self.field_query(name).to_string();
            text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == query)
        });
        let queries: Vec<Ident> = asked.map(|name| self.field_query(&name)).collect();
        if queries.is_empty() {
            return TokenStream::new();
        }
        quote! {
            trait __Fields {
                #(fn #queries(&self) -> #rt::ActiveField { #rt::ActiveField })*
            }
            impl<T: ?Sized> __Fields for T {}
            const _: () = { #(let _ = <() as __Fields>::#queries;)* };
        }
    }
}

/// The place of which a statement takes a clone, and nothing else.
fn cloned_in(stmt: &Stmt) -> Option<&Place> {
    let (StmtKind::Let { value: Some(value), .. } | StmtKind::Assign { value, .. }) = &stmt.kind
    else {
        return None;
    };
    match &value.kind {
        ExprKind::Op(Op::Clone, args) => args[0].as_place(),
        _ => None,
    }
}

/// The names of all fields that occur.
fn fields_of(body: &Body) -> BTreeSet<String> {
    let mut fields = BTreeSet::new();
    let mut visit = |place: &Place| {
        let place = body.resolve(place);
        fields.extend(place.projections.iter().filter_map(|step| match step {
            Projection::Field(name) => Some(name.to_string()),
            Projection::Boxed
            | Projection::Index(_)
            | Projection::Slice { .. }
            | Projection::Got { .. } => None,
        }));
    };
    each_stmt(&body.block, &mut |stmt| each_place(stmt, &mut visit));
    let mut literals = BTreeSet::new();
    each_stmt(&body.block, &mut |stmt| {
        each_expr(stmt, &mut |expr| names_in(expr, &mut literals));
    });
    fields.extend(literals);
    fields
}

fn names_in(expr: &Expr, names: &mut BTreeSet<String>) {
    if let ExprKind::Op(op, args) = &expr.kind {
        if let Op::Struct(_, fields) = op {
            names.extend(fields.iter().map(ToString::to_string));
        }
        args.iter().for_each(|arg| names_in(arg, names));
    }
}

/// The boxes that a place is in.
fn boxes_on_the_way(place: &Place) -> impl Iterator<Item = Place> {
    let steps = place.projections.iter().enumerate();
    let boxes = steps.filter(|(_, step)| matches!(step, Projection::Boxed));
    boxes.map(|(position, _)| Place {
        root: place.root,
        projections: place.projections[..position].to_vec(),
    })
}
