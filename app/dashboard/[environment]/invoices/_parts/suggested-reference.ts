import { randomUuid } from '#app/_ui/random-uuid.ts';

/** `2026-11-21-7f3a91c4`: short enough to be read out. */
export function suggestedReference(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, 10)}-${randomUuid().slice(0, 8)}`;
}
