/** A stranger's text on one line, and such that it cannot steer the terminal that shows it. */
export const printable = (text: string): string =>
  text.replaceAll(/[^\x20-\x7e\u00a0-\uffff]+/g, ' ');
