import { cookies } from 'next/headers';
import { isSampleName, readSamples, type SampleName } from '#app/_samples/samples.ts';
import { settings } from '#server/settings/settings.ts';
import { CodeBlock } from './code-block.tsx';
import { CodeTabs } from './code-tabs.tsx';
import { LANGUAGE_COOKIE } from './language-choice.ts';

const LABELS: Record<SampleName, string> = {
  'create-invoice': 'Create an invoice',
  'receive-callback': 'Receive callbacks',
  'verify-callback': 'Verify callbacks',
};

/** What a reader chose on an earlier page, or null. */
export async function rememberedLanguage(): Promise<string | null> {
  return (await cookies()).get(LANGUAGE_COOKIE)?.value ?? null;
}

/** A program of `public/samples` in all its languages, with this gateway's address. */
export async function SampleTabs({ name }: { name: string }) {
  if (!isSampleName(name)) throw new Error(`There is no sample ${name}.`);
  const [samples, remembered] = await Promise.all([
    readSamples(name, { baseUrl: `${settings().publicUrl}/api/sandbox`, merchantId: 'mer_…' }),
    rememberedLanguage(),
  ]);
  return (
    <CodeTabs
      label={`${LABELS[name]}: language`}
      tabs={samples.map(({ language, family }) => ({ label: language, family }))}
      remembered={remembered}
      panels={samples.map(({ file, text, highlight }) => (
        <CodeBlock key={file} code={text} language={highlight} title={file} bare />
      ))}
    />
  );
}
