import { vi } from 'vitest';

const { DateTimeFormat, NumberFormat } = Intl;

/** Counts the date formats that are made; they work as usual. */
export function spyOnDates() {
  return vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function make(...given) {
    return new DateTimeFormat(...given);
  } as typeof DateTimeFormat);
}

/** The same for number formats. */
export function spyOnNumbers() {
  return vi.spyOn(Intl, 'NumberFormat').mockImplementation(function make(...given) {
    return new NumberFormat(...given);
  } as typeof NumberFormat);
}
