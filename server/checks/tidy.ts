import type { Sources } from './imports.ts';

const REFUSED_NAMES =
  /(^|\/)((utils?|helpers?|misc|common|index)\.(ts|tsx|js)$|(utils?|helpers?|misc)\/)/;

type Rule = { pattern: RegExp; why: string; appliesTo: (file: string) => boolean };

const everywhere = (): boolean => true;
const inProduct = (file: string): boolean => /^(server|app)\//.test(file);

// Written in pieces, because this file would otherwise be the first to be reported.
const words = (...pieces: string[]): string => pieces.join('');
const RULES: Rule[] = [
  {
    pattern: new RegExp(words('\\b(TO', 'DO|FIX', 'ME|HA', 'CK)\\b')),
    why: 'unfinished work is a note in the issue, not in the code',
    appliesTo: everywhere,
  },
  {
    pattern: new RegExp(words('biome', '-ignore|@ts', '-(ignore|nocheck|expect-error)')),
    why: 'a check is answered, not switched off',
    appliesTo: everywhere,
  },
  {
    // In every notation: after `concurrent` or a table, or as an option. `runIf` is allowed,
    // because it names what the machine lacks.
    pattern: new RegExp(
      words(
        '\\.(only|skip|skipIf|to',
        'do|fix',
        'me|fails?)\\b|\\b(only|skip|to',
        'do|fails): *true\\b',
      ),
    ),
    why: 'every test runs',
    appliesTo: (file) => /\.(test|spec)\.tsx?$/.test(file),
  },
  {
    pattern: new RegExp(words('\\bvi\\.wait', '(For|Until)\\b')),
    why: 'gives up after a second, which a machine may stall for: take expect.poll',
    appliesTo: everywhere,
  },
  {
    pattern: new RegExp(words('\\bcrypto\\.(random', 'UUID|sub', 'tle)\\b')),
    why: 'over plain http a browser has none: take app/_ui/random-uuid.ts, or node:crypto on the server',
    appliesTo: (file) => file.startsWith('app/') && !file.includes('.test.'),
  },
  {
    pattern: new RegExp(words('\\bnew In', 'tl\\.(DateTime|Number)Format\\b')),
    why: 'a format costs a hundred uses of it: take server/lib/formats.ts, which keeps them',
    appliesTo: (file) =>
      inProduct(file) && file !== 'server/lib/formats.ts' && !file.includes('.test.'),
  },
];

type ElementRule = { tag: RegExp; isFaulty: (tag: string) => boolean; why: string };

// The `>` of an arrow does not end a tag.
const ELEMENT_RULES: ElementRule[] = [
  {
    tag: /<form\b(?:=>|[^>])*>/g,
    // A browser would put it into the page's address until a script handles it.
    isFaulty: (tag) => /\bonSubmit=/.test(tag) && !/\b(method|action)=/.test(tag),
    why: 'only its script sends it: take app/_ui/script-form.tsx',
  },
];

function elementFaults(file: string, text: string): string[] {
  return ELEMENT_RULES.flatMap(({ tag, isFaulty, why }) =>
    [...text.matchAll(tag)]
      .filter(([element]) => isFaulty(element))
      .map(({ index }) => `${file}:${text.slice(0, index).split('\n').length}: ${why}`),
  );
}

/**
 * Finds what no linter checks: meaningless names, leftovers.
 *
 * @returns one line for each fault, `file:line: why`.
 */
export function tidyFaults(sources: Sources): string[] {
  const faults: string[] = [];
  for (const [file, text] of sources) {
    if (REFUSED_NAMES.test(file)) {
      faults.push(
        `${file}:1: a name that says what is inside, no collection of leftovers or barrel`,
      );
    }
    const lines = text.split('\n');
    if (file.endsWith('.tsx')) faults.push(...elementFaults(file, text));
    const rules = RULES.filter((rule) => rule.appliesTo(file));
    lines.forEach((line, index) => {
      for (const rule of rules) {
        if (rule.pattern.test(line)) faults.push(`${file}:${index + 1}: ${rule.why}`);
      }
    });
  }
  return faults;
}
