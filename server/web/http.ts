import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { demandPublicUrl, settings } from '../settings/settings.ts';
// Loaded before Next, which replaces Date with a slower one.
import '../lib/clock.ts';
import { log, logFatal, logWhatIsPrinted, outliveFullDisks } from '../observability/log.ts';

// `npm run web`: one process, or with WEB_PROCESSES the keeper of several.

/** The least for a web: a slow page of the dashboard must not hold up the API. */
const LEAST_CONNECTIONS = 4;

async function main(): Promise<void> {
  const current = settings();
  demandPublicUrl(current);
  const { isProduction, webProcesses, databasePoolSize } = current;
  // Each is loaded only where it runs: the keeper needs nothing of Next.
  if (!isProduction || webProcesses === 1 || cluster.isWorker) {
    // Called before Next is loaded. Developers read the output as it is printed.
    if (isProduction) logWhatIsPrinted();
    const { serveWeb } = await import('./web.ts');
    return await serveWeb();
  }
  const { keepWebs } = await import('../process/webs.ts');
  const connections = Math.max(LEAST_CONNECTIONS, Math.ceil(databasePoolSize / webProcesses));
  keepWebs({
    file: fileURLToPath(import.meta.url),
    processes: webProcesses,
    environment: { DATABASE_POOL_SIZE: String(connections) },
    say: (what, text) => log().warn(what, text),
  });
}

outliveFullDisks();
main().catch((error: unknown) => {
  logFatal(error);
  process.exit(1);
});
