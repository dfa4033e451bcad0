import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { demandPublicUrl, settings } from '../settings/settings.ts';
// Loaded before Next, which puts a slower Date in the place of the language's.
import '../lib/clock.ts';
import { log, logFatal, logWhatIsPrinted, outliveFullDisks } from '../observability/log.ts';

// `npm run web`: one process, or with WEB_PROCESSES the one that keeps several of them.

/** A web needs so many at least: a slow page of the dashboard must not hold up the API. */
const LEAST_CONNECTIONS = 4;

async function main(): Promise<void> {
  const current = settings();
  demandPublicUrl(current);
  const { isProduction, webProcesses, databasePoolSize } = current;
  // Each is loaded only where it runs: whoever keeps the others needs nothing of Next.
  if (!isProduction || webProcesses === 1 || cluster.isWorker) {
    // Before Next is loaded. Who develops reads it as it is printed.
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
