import type { WrittenEventType } from '#server/events/types.ts';
import type { Messages } from '#server/i18n/translator.ts';

/** The name of an event's type in the catalogue, whose names have no dots. */
export function eventTypeWord(type: WrittenEventType): keyof Messages['dashboard']['eventTypes'] {
  return type.replace('.', '_') as keyof Messages['dashboard']['eventTypes'];
}
