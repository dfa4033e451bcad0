import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { type Area, IMPORT_TABLE } from './import-table.ts';

/** Source text by path from the project's root, `/` between segments. */
export type Sources = Map<string, string>;

type Import = { specifier: string; line: number };

const SUBPATHS: [prefix: string, folder: string][] = [
  ['#app/', 'app/'],
  ['#server/', 'server/'],
];
/** Only these may make a tenant scope, right after authenticating somebody. */
const TENANT_GATES = [
  'server/rest/authenticate.ts$',
  'server/trpc/context.ts$',
  'server/cli/',
  // For a member of staff that it has just read.
  'server/register/send.ts$',
  // A link's code stands for its merchant, where a buyer orders.
  'server/links/order-at-link.ts$',
  'server/testing/',
];

/** The file that makes a tenant scope. */
const TENANT_MAKER = 'server/merchants/tenant.ts';

const GENERATED_CLIENT = 'server/db/generated/client.ts';

/**
 * Checks every import of every file against the import table. No linter that reads TypeScript 7 on
 * Node 20 knows the folder of the file it reads: Biome judges the specifier as it is written, which
 * would take an entry for each depth of each folder. Biome and the compiler find cycles and missing
 * files.
 *
 * @returns one line for each fault, `file:line: why`; none when all is in order. Throws when a
 *   file cannot be parsed, since an unread file would pass unnoticed.
 */
export function importFaults(sources: Sources): string[] {
  const faults: string[] = [];
  for (const [file, text] of sources) {
    const area = areaOf(file);
    if (!area) {
      faults.push(`${file}:1: no entry of the import table covers this file`);
      continue;
    }
    for (const found of importsOf(file, text)) {
      const target = resolveInProject(file, found.specifier);
      const fault = target ? judgeFile(area, file, target) : judgePackage(area, found.specifier);
      if (fault) faults.push(`${file}:${found.line}: ${fault}`);
    }
  }
  return faults;
}

function judgeFile(area: Area, file: string, target: string): string | undefined {
  if (!matchesAny(target, area.mayImport)) return `${area.name} may not import ${target}`;
  const isTest = area.name === 'tests';
  if (!isTest && /\.test\.tsx?$/.test(target)) return `${target} is a test`;
  if (target === TENANT_MAKER && !isTest && !matchesAny(file, TENANT_GATES)) {
    return `only a gate that has authenticated somebody may import ${TENANT_MAKER}`;
  }
  return undefined;
}

function judgePackage(area: Area, specifier: string): string | undefined {
  const refused = area.packagesRefused?.find(
    (name) => specifier === name || specifier.startsWith(`${name}/`),
  );
  return refused ? `${area.name} may not import ${refused}` : undefined;
}

/** A file's imports, including types: static, dynamic and re-exporting. */
function importsOf(file: string, text: string): Import[] {
  const parsed = parseSync(file, text);
  const error = parsed.errors[0];
  if (error) throw new Error(`${file} cannot be parsed: ${error.message}`);
  const found: Import[] = [];
  const add = (start: number, specifier: string): void => {
    found.push({ specifier, line: text.slice(0, start).split('\n').length });
  };
  for (const item of parsed.module.staticImports) add(item.start, item.moduleRequest.value);
  for (const item of parsed.module.staticExports) {
    for (const entry of item.entries) {
      if (entry.moduleRequest) add(entry.start, entry.moduleRequest.value);
    }
  }
  for (const item of parsed.module.dynamicImports) {
    const literal = text.slice(item.moduleRequest.start, item.moduleRequest.end);
    // A computed specifier names no file; only bootstrap.js needs one.
    if (/^(['"])[^'"]*\1$/.test(literal)) add(item.start, literal.slice(1, -1));
  }
  return found;
}

function resolveInProject(file: string, specifier: string): string | undefined {
  if (specifier === '#db-client') return GENERATED_CLIENT;
  for (const [prefix, folder] of SUBPATHS) {
    if (specifier.startsWith(prefix)) return folder + specifier.slice(prefix.length);
  }
  if (!specifier.startsWith('.')) return undefined;
  return path.posix.join(path.posix.dirname(file), specifier);
}

function areaOf(file: string): Area | undefined {
  return IMPORT_TABLE.find((area) => matchesAny(file, area.files));
}

function matchesAny(file: string, patterns: string[]): boolean {
  return patterns.some((pattern) => patternToRegExp(pattern).test(file));
}

const patternCache = new Map<string, RegExp>();

function patternToRegExp(pattern: string): RegExp {
  const cached = patternCache.get(pattern);
  if (cached) return cached;
  const exact = pattern.endsWith('$');
  const body = (exact ? pattern.slice(0, -1) : pattern)
    .replace(/[.+?^()|[\]\\{}]/g, '\\$&')
    .replaceAll('**', '.+')
    .replace(/(?<!\.)\*/g, '[^/]+');
  const expression = new RegExp(`^${body}${exact ? '$' : ''}`);
  patternCache.set(pattern, expression);
  return expression;
}

const FOLDERS = ['app', 'server', 'client', 'examples', 'e2e', 'bench', 'prisma'];
const NOT_OURS =
  /^(?:server\/db\/generated|client\/dist|.+\/(?:node_modules|\.next))\/|(?:^|\/)next-env\.d\.ts$/;

/** Reads every script of the project, except generated and installed ones. */
export async function readSources(root: string): Promise<Sources> {
  const files: string[] = [];
  for (const entry of await readdir(root, { withFileTypes: true })) {
    if (entry.isFile()) files.push(entry.name);
  }
  for (const folder of FOLDERS) {
    const found = await readdir(path.join(root, folder), { recursive: true }).catch(() => []);
    for (const file of found) files.push(`${folder}/${file.split(path.sep).join('/')}`);
  }
  const sources: Sources = new Map();
  for (const file of files.sort()) {
    if (!/\.(ts|tsx|js|mjs)$/.test(file) || NOT_OURS.test(file)) continue;
    sources.set(file, await readFile(path.join(root, file), 'utf8'));
  }
  return sources;
}
