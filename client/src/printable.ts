/** A stranger's text on one line, unable to control the terminal that shows it. */
export const printable = (text: string): string =>
  text.replaceAll(/[^\x20-\x7e\u00a0-\uffff]+/g, ' ');
