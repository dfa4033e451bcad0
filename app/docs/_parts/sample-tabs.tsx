import { cookies } from 'next/headers';
import { isSampleName, readSamples, type SampleName } from '#app/_samples/samples.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import { settings } from '#server/settings/settings.ts';
import type { DocsLanguage } from '../_content/docs-language.ts';
import { CodeBlock } from './code-block.tsx';
import { CodeTabs } from './code-tabs.tsx';
import { LANGUAGE_COOKIE } from './language-choice.ts';

/** The reader's choice on an earlier page, or null. */
export async function rememberedLanguage(): Promise<string | null> {
  return (await cookies()).get(LANGUAGE_COOKIE)?.value ?? null;
}

function checkedName(name: string): SampleName {
  if (!isSampleName(name)) throw new Error(`There is no sample ${name}.`);
  return name;
}

/** The programs and their languages, for the search. */
export async function sampleWords(name: string): Promise<string> {
  const values = { baseUrl: 'https://…/api/sandbox', merchantId: 'mer_…' };
  const samples = await readSamples(checkedName(name), values);
  return samples.map(({ language, file, text }) => `${language} ${file} ${text}`).join(' ');
}

/** A program of `public/samples` in all its languages, with this gateway's address. */
export async function SampleTabs({
  name: given,
  language,
}: {
  name: string;
  language: DocsLanguage;
}) {
  const name = checkedName(given);
  const t = translatorOf(language, 'docs.samples');
  const [samples, remembered] = await Promise.all([
    readSamples(name, { baseUrl: `${settings().publicUrl}/api/sandbox`, merchantId: 'mer_…' }),
    rememberedLanguage(),
  ]);
  return (
    <CodeTabs
      label={t('label', { name: t(`names.${name}`) })}
      tabs={samples.map(({ language: label, family }) => ({ label, family }))}
      remembered={remembered}
      panels={samples.map(({ file, text, highlight }) => (
        <CodeBlock key={file} code={text} language={highlight} title={file} bare />
      ))}
    />
  );
}
