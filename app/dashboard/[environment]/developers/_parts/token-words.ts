import type { Scope } from '#server/merchants/types.ts';
import { ENDPOINT_CHOICES } from './request-query.ts';

type Underscored<Text extends string> = Text extends `${infer Start}${'.' | '/'}${infer Rest}`
  ? `${Start}_${Underscored<Rest>}`
  : Text;

/** The key of a scope's words: a point parts groups there. */
export function scopeWord(scope: Scope): Underscored<Scope> {
  return scope.replace('.', '_') as Underscored<Scope>;
}

/** The endpoints for which a token can have been used. */
export const USES = [
  ...ENDPOINT_CHOICES,
  '/test/callback/listen',
  '/test/callback/answer',
] as const;
type Use = (typeof USES)[number];
type UseWord = Use extends `/${infer Path}` ? Underscored<Path> : never;

/** The key of the words for an endpoint; null for one that this version does not know. */
export function wordOfUse(endpoint: string): UseWord | null {
  if (!(USES as readonly string[]).includes(endpoint)) return null;
  return endpoint.slice(1).replaceAll('/', '_') as UseWord;
}
