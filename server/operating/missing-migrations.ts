import { pendingMigrations } from '../db/migrate.ts';
import type { Queryable } from '../db/pool.ts';
import { log } from '../observability/log.ts';

/**
 * Makes a look that tells in the log when the database lacks migrations of the tree, once for each
 * state: where one is missing, everything fails with words of its own that name no cause. One that
 * only the database has is a newer version's, beside which this one runs.
 */
export function createMigrationsLook(db: Queryable): () => Promise<void> {
  let told = '';
  return async () => {
    const [first = '', ...others] = await pendingMigrations(db);
    const missing = others.length === 0 ? first : `${first} and ${others.length} more`;
    if (missing === told) return;
    told = missing;
    if (missing === '') log().warn('the database has every migration now');
    else log().error(`the database lacks the migration ${missing}. Run: npm run migrate`);
  };
}
