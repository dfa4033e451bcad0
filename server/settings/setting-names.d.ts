/** The variables that the gateway reads; server/settings/settings.ts explains each. */
export const SETTING_NAMES: readonly string[];

/**
 * The names in a `.env` that nobody reads. A wrong value ends the start, but a misspelt name would
 * be ignored silently.
 */
export function unknownNames(envFile: string): string[];
