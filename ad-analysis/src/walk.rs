//! Walks over syntax trees. They are those of `syn`, by way of trait objects: a walk is compiled once, and not for each of a hundred types
//! that look at some of its nodes.

/// Walks that look.
pub(crate) mod visit {
    macro_rules! walks {
        ($($name:ident: $node:ty,)*) => {
            /// What is done at the nodes of a tree: what is not said otherwise goes on to what is inside.
            pub(crate) trait Visit<'ast>: AsVisit<'ast> {
                $(fn $name(&mut self, node: &'ast $node) {
                    $name(self.as_visit(), node);
                })*
            }

            impl<'ast> syn::visit::Visit<'ast> for Walk<'_, 'ast> {
                $(fn $name(&mut self, node: &'ast $node) {
                    self.0.$name(node);
                })*
            }

            $(
                /// Goes on to what is inside.
                pub(crate) fn $name<'ast>(walk: &mut (dyn Visit<'ast> + '_), node: &'ast $node) {
                    syn::visit::$name(&mut Walk(walk), node);
                }
            )*
        };
    }

    /// A walk as `syn` has it.
    struct Walk<'w, 'ast>(&'w mut (dyn Visit<'ast> + 'w));

    /// As a trait object.
    pub(crate) trait AsVisit<'ast> {
        /// As a trait object.
        fn as_visit(&mut self) -> &mut (dyn Visit<'ast> + '_);
    }

    impl<'ast, T: Visit<'ast>> AsVisit<'ast> for T {
        fn as_visit(&mut self) -> &mut (dyn Visit<'ast> + '_) {
            self
        }
    }

    walks! {
        visit_attribute: syn::Attribute,
        visit_block: syn::Block,
        visit_const_param: syn::ConstParam,
        visit_expr: syn::Expr,
        visit_expr_assign: syn::ExprAssign,
        visit_expr_await: syn::ExprAwait,
        visit_expr_binary: syn::ExprBinary,
        visit_expr_break: syn::ExprBreak,
        visit_expr_call: syn::ExprCall,
        visit_expr_cast: syn::ExprCast,
        visit_expr_closure: syn::ExprClosure,
        visit_expr_const: syn::ExprConst,
        visit_expr_continue: syn::ExprContinue,
        visit_expr_field: syn::ExprField,
        visit_expr_for_loop: syn::ExprForLoop,
        visit_expr_index: syn::ExprIndex,
        visit_expr_let: syn::ExprLet,
        visit_expr_loop: syn::ExprLoop,
        visit_expr_match: syn::ExprMatch,
        visit_expr_method_call: syn::ExprMethodCall,
        visit_expr_path: syn::ExprPath,
        visit_expr_range: syn::ExprRange,
        visit_expr_reference: syn::ExprReference,
        visit_expr_repeat: syn::ExprRepeat,
        visit_expr_return: syn::ExprReturn,
        visit_expr_try: syn::ExprTry,
        visit_expr_unary: syn::ExprUnary,
        visit_expr_while: syn::ExprWhile,
        visit_expr_yield: syn::ExprYield,
        visit_field: syn::Field,
        visit_fn_arg: syn::FnArg,
        visit_generic_argument: syn::GenericArgument,
        visit_generic_param: syn::GenericParam,
        visit_generics: syn::Generics,
        visit_ident: proc_macro2::Ident,
        visit_item: syn::Item,
        visit_item_const: syn::ItemConst,
        visit_item_fn: syn::ItemFn,
        visit_item_macro: syn::ItemMacro,
        visit_item_static: syn::ItemStatic,
        visit_item_type: syn::ItemType,
        visit_item_use: syn::ItemUse,
        visit_lifetime: syn::Lifetime,
        visit_local: syn::Local,
        visit_local_init: syn::LocalInit,
        visit_macro: syn::Macro,
        visit_member: syn::Member,
        visit_pat: syn::Pat,
        visit_pat_guard: syn::PatGuard,
        visit_pat_ident: syn::PatIdent,
        visit_path: syn::Path,
        visit_return_type: syn::ReturnType,
        visit_signature: syn::Signature,
        visit_stmt: syn::Stmt,
        visit_trait_bound: syn::TraitBound,
        visit_type: syn::Type,
        visit_type_param: syn::TypeParam,
        visit_type_path: syn::TypePath,
        visit_type_reference: syn::TypeReference,
        visit_use_name: syn::UseName,
        visit_use_rename: syn::UseRename,
    }
}

/// Walks that change.
pub(crate) mod visit_mut {
    macro_rules! walks {
        ($($name:ident: $node:ty,)*) => {
            /// What is done at the nodes of a tree: what is not said otherwise goes on to what is inside.
            pub(crate) trait VisitMut: AsVisitMut {
                $(fn $name(&mut self, node: &mut $node) {
                    $name(self.as_visit_mut(), node);
                })*
                fn visit_attributes_mut(&mut self, attributes: &mut Vec<syn::Attribute>) {
                    attributes.iter_mut().for_each(|attribute| self.visit_attribute_mut(attribute));
                }
            }

            impl syn::visit_mut::VisitMut for Walk<'_> {
                $(fn $name(&mut self, node: &mut $node) {
                    self.0.$name(node);
                })*
                fn visit_attributes_mut(&mut self, attributes: &mut Vec<syn::Attribute>) {
                    self.0.visit_attributes_mut(attributes);
                }
            }

            $(
                /// Goes on to what is inside.
                pub(crate) fn $name(walk: &mut (dyn VisitMut + '_), node: &mut $node) {
                    syn::visit_mut::$name(&mut Walk(walk), node);
                }
            )*
        };
    }

    /// A walk as `syn` has it.
    struct Walk<'w>(&'w mut (dyn VisitMut + 'w));

    /// As a trait object.
    pub(crate) trait AsVisitMut {
        /// As a trait object.
        fn as_visit_mut(&mut self) -> &mut (dyn VisitMut + '_);
    }

    impl<T: VisitMut> AsVisitMut for T {
        fn as_visit_mut(&mut self) -> &mut (dyn VisitMut + '_) {
            self
        }
    }

    walks! {
        visit_arm_mut: syn::Arm,
        visit_attribute_mut: syn::Attribute,
        visit_block_mut: syn::Block,
        visit_expr_array_mut: syn::ExprArray,
        visit_expr_binary_mut: syn::ExprBinary,
        visit_expr_block_mut: syn::ExprBlock,
        visit_expr_break_mut: syn::ExprBreak,
        visit_expr_call_mut: syn::ExprCall,
        visit_expr_closure_mut: syn::ExprClosure,
        visit_expr_continue_mut: syn::ExprContinue,
        visit_expr_for_loop_mut: syn::ExprForLoop,
        visit_expr_if_mut: syn::ExprIf,
        visit_expr_let_mut: syn::ExprLet,
        visit_expr_loop_mut: syn::ExprLoop,
        visit_expr_match_mut: syn::ExprMatch,
        visit_expr_method_call_mut: syn::ExprMethodCall,
        visit_expr_mut: syn::Expr,
        visit_expr_path_mut: syn::ExprPath,
        visit_expr_return_mut: syn::ExprReturn,
        visit_expr_struct_mut: syn::ExprStruct,
        visit_expr_try_mut: syn::ExprTry,
        visit_expr_tuple_mut: syn::ExprTuple,
        visit_expr_while_mut: syn::ExprWhile,
        visit_field_pat_mut: syn::FieldPat,
        visit_field_value_mut: syn::FieldValue,
        visit_generic_argument_mut: syn::GenericArgument,
        visit_generics_mut: syn::Generics,
        visit_ident_mut: proc_macro2::Ident,
        visit_impl_item_fn_mut: syn::ImplItemFn,
        visit_item_fn_mut: syn::ItemFn,
        visit_item_impl_mut: syn::ItemImpl,
        visit_item_mod_mut: syn::ItemMod,
        visit_item_mut: syn::Item,
        visit_item_trait_mut: syn::ItemTrait,
        visit_label_mut: syn::Label,
        visit_lifetime_mut: syn::Lifetime,
        visit_local_init_mut: syn::LocalInit,
        visit_local_mut: syn::Local,
        visit_macro_mut: syn::Macro,
        visit_pat_ident_mut: syn::PatIdent,
        visit_parenthesized_generic_arguments_mut: syn::ParenthesizedGenericArguments,
        visit_pat_mut: syn::Pat,
        visit_pat_struct_mut: syn::PatStruct,
        visit_path_mut: syn::Path,
        visit_return_type_mut: syn::ReturnType,
        visit_signature_mut: syn::Signature,
        visit_stmt_mut: syn::Stmt,
        visit_type_fn_ptr_mut: syn::TypeFnPtr,
        visit_type_impl_trait_mut: syn::TypeImplTrait,
        visit_type_mut: syn::Type,
        visit_type_path_mut: syn::TypePath,
        visit_type_reference_mut: syn::TypeReference,
        visit_type_trait_object_mut: syn::TypeTraitObject,
    }
}
