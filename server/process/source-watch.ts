import { watch } from 'node:fs';
import path from 'node:path';

const SETTLE_MS = 200;
// Next watches the files that it bundles; it never sees these.
const WEB_FILES = /^(web|http|settings|observability)[\\/]/;
const NOT_LOADED = /\.test\.ts$|^(db[\\/]generated|testing|checks|process|cli)[\\/]/;

/**
 * Reports which process has to restart when sources below `server/` change; for development. Stops
 * with the process.
 */
export function watchSources(root: string, restart: { web(): void; worker(): void }): void {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const settle = (): void => {
    const files = [...changed];
    changed.clear();
    if (files.some((file) => WEB_FILES.test(file))) restart.web();
    restart.worker();
  };
  const watcher = watch(path.join(root, 'server'), { recursive: true }, (_event, file) => {
    if (!file?.endsWith('.ts') || NOT_LOADED.test(file)) return;
    changed.add(file);
    clearTimeout(timer);
    timer = setTimeout(settle, SETTLE_MS);
  });
  watcher.unref();
}
