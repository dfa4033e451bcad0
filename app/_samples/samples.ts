import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '#server/settings/settings.ts';

// The files run unedited, because anybody may take them from /samples: they read their values from
// the environment. A test runs each in every language that the machine has.
const LANGUAGES = {
  curl: { language: 'curl', family: 'curl', highlight: 'bash', ending: 'sh' },
  node: { language: 'Node.js', family: 'node', highlight: 'javascript', ending: 'mjs' },
  php: { language: 'PHP', family: 'php', highlight: 'php', ending: 'php' },
  python: { language: 'Python', family: 'python', highlight: 'python', ending: 'py' },
  go: { language: 'Go', family: 'go', highlight: 'go', ending: 'go' },
  next: { language: 'Next.js', family: 'node', highlight: 'typescript', ending: 'ts' },
} as const;

type Language = keyof typeof LANGUAGES;

/** A sample's file; a framework's sample has the framework's name. */
type Entry = { file: string; language: string; family: string; highlight: string };

function inLanguage(base: string, key: Language, language?: string): Entry {
  const { ending, ...rest } = LANGUAGES[key];
  return { ...rest, language: language ?? rest.language, file: `${base}.${ending}` };
}

const SAMPLES = {
  'create-invoice': (['curl', 'node', 'php', 'python', 'go'] as const).map((key) =>
    inLanguage('create-invoice', key),
  ),
  'receive-callback': (['node', 'php', 'python', 'go'] as const).map((key) =>
    inLanguage('receive-callback', key),
  ),
  'catch-up': (['node', 'php', 'python', 'go'] as const).map((key) => inLanguage('catch-up', key)),
  'verify-callback': [
    inLanguage('receive-express', 'node', 'Express'),
    inLanguage('receive-next', 'next'),
    inLanguage('receive-fastapi', 'python', 'FastAPI'),
    inLanguage('receive-django', 'python', 'Django'),
    inLanguage('receive-laravel', 'php', 'Laravel'),
    inLanguage('receive-callback', 'php'),
    inLanguage('receive-callback', 'go'),
  ],
} satisfies Record<string, Entry[]>;

export type SampleName = keyof typeof SAMPLES;

/** A program in one language, with the merchant's own values at its head. */
export type Sample = Entry & { text: string };

export function isSampleName(name: string): name is SampleName {
  return Object.hasOwn(SAMPLES, name);
}

/** A sample in all its languages; the head names the values for its environment. */
export async function readSamples(
  name: SampleName,
  values: { baseUrl: string; merchantId: string },
): Promise<Sample[]> {
  return await Promise.all(
    SAMPLES[name].map(async (entry) => {
      const file = path.join(projectRoot(), 'public', 'samples', entry.file);
      const text = await readFile(file, 'utf8');
      const filled = text
        .replace(/(?<= BASE_URL=)\S+/, () => values.baseUrl)
        .replace(/(?<= MERCHANT_ID=)\S+/, () => values.merchantId);
      return { ...entry, text: filled.trimEnd() };
    }),
  );
}
