import type { Scope } from '#server/merchants/types.ts';

type Underscored<Text extends string> = Text extends `${infer Noun}.${infer Verb}`
  ? `${Noun}_${Verb}`
  : Text;

/** The key of a scope's words: a point parts groups there. */
export function scopeWord(scope: Scope): Underscored<Scope> {
  return scope.replace('.', '_') as Underscored<Scope>;
}
