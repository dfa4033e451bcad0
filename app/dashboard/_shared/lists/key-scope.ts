const KEPT_AS = 'keys-in-rows-only';

/** Whether keys of one character work anywhere on a list's page, in this browser. */
export function areKeysEverywhere(): boolean {
  try {
    return localStorage.getItem(KEPT_AS) === null;
  } catch {
    // A browser can forbid a page to keep anything.
    return true;
  }
}

/** Remembers the choice in this browser. */
export function keepKeysEverywhere(isEverywhere: boolean): void {
  try {
    if (isEverywhere) localStorage.removeItem(KEPT_AS);
    else localStorage.setItem(KEPT_AS, 'on');
  } catch {
    // It lasts as long as the page.
  }
}
