/** What the gateway reads out of its environment; server/settings/settings.ts says what each is for. */
export const SETTING_NAMES: readonly string[];

/**
 * The names in a `.env` that nobody reads: misspelt ones, since a wrong name would change nothing
 * without a word where a wrong value ends the start.
 */
export function unknownNames(envFile: string): string[];
