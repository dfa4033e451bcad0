import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Where Next serves what a build has made. */
const BUILT = '/_next/static/';

/**
 * Tells whether a request's target is a file that Next serves as it lies there: one of the build's,
 * or of the folder `public` below `root` as it is now.
 *
 * @returns for targets whose path can be decoded
 */
export function staticFiles(root: string): (url: string) => boolean {
  const folder = join(root, 'public');
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = new Set(
    entries
      .filter((entry) => entry.isFile())
      .map(
        (entry) => `/${relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/')}`,
      ),
  );
  return (url) => {
    const path = decodeURIComponent(url.split('?', 1)[0] ?? '');
    return path.startsWith(BUILT) || paths.has(path);
  };
}
