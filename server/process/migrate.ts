import { applyMigrations } from '../db/migrate.ts';
import { settings } from '../settings/settings.ts';
import { createSteps } from './steps.ts';

// `npm run migrate`: updates the database of DATABASE_URL before new `web` and `worker` processes
// start on it.
const steps = createSteps(process.stderr);
try {
  const { databaseUrl } = settings();
  if (databaseUrl === null) {
    throw new Error('DATABASE_URL is not set. (`npm start` migrates the embedded PostgreSQL.)');
  }
  const applied = await steps.run('migrations', () => applyMigrations(databaseUrl));
  steps.say(applied.length === 0 ? 'Nothing to apply.' : `Applied: ${applied.join(', ')}`);
} catch (error) {
  steps.say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
