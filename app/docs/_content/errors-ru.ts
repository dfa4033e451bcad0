/** The cause and the cure of each error in Russian, by its anchor. */
export const RUSSIAN_ERRORS: Record<string, { why: string; cure: string }> = {};
