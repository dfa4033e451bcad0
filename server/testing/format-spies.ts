import { vi } from 'vitest';

const { DateTimeFormat, NumberFormat } = Intl;

/** Counts the formats for dates that are made; they work as they always do. */
export function spyOnDates() {
  return vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function make(...given) {
    return new DateTimeFormat(...given);
  } as typeof DateTimeFormat);
}

/** The same for numbers. */
export function spyOnNumbers() {
  return vi.spyOn(Intl, 'NumberFormat').mockImplementation(function make(...given) {
    return new NumberFormat(...given);
  } as typeof NumberFormat);
}
