import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '#server/env.ts';

// The files can be run as they stand, but for two words that are put in here: a test runs
// each in every language that the machine has.
const FILES = {
  'create-invoice': { curl: 'sh', node: 'mjs', php: 'php', python: 'py', go: 'go' },
  'receive-callback': { node: 'mjs', php: 'php', python: 'py', go: 'go' },
} as const;

export type SampleName = keyof typeof FILES;

/** A program in one language, with the merchant's own values. */
export type Sample = { language: string; file: string; text: string };

const TITLES = { curl: 'curl', node: 'Node.js', php: 'PHP', python: 'Python', go: 'Go' };

/** A sample in all its languages; the token and the secret come from the environment. */
export async function readSamples(
  name: SampleName,
  values: { baseUrl: string; merchantId: string },
): Promise<Sample[]> {
  const languages = Object.entries(FILES[name]) as [keyof typeof TITLES, string][];
  return await Promise.all(
    languages.map(async ([language, ending]) => {
      const file = `${name}.${ending}`;
      const text = await readFile(path.join(projectRoot(), 'public', 'samples', file), 'utf8');
      const filled = text
        .replaceAll('{base_url}', values.baseUrl)
        .replaceAll('{merchant_id}', values.merchantId);
      return { language: TITLES[language], file, text: filled.trimEnd() };
    }),
  );
}
