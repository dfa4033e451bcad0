import { translatorOf } from '#server/i18n/translator.ts';
import { documentedValues } from '#server/openapi/documented-values.ts';
import type { DocsLanguage } from '../_content/docs-language.ts';

/** The table's words for the search. */
export function cardWords(language: DocsLanguage): string {
  const t = translatorOf(language, 'docs.cards.meanings');
  return documentedValues()
    .testCards.map(({ number, outcome }) => `${number} ${outcome} ${t(outcome)}`)
    .join(' ');
}

/** The sandbox's card numbers and their meaning. */
export function CardTable({ language }: { language: DocsLanguage }) {
  const t = translatorOf(language, 'docs.cards');
  return (
    <div className="docs-table docs-table-stack">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('number')}</th>
            <th scope="col">{t('outcome')}</th>
            <th scope="col">{t('happens')}</th>
          </tr>
        </thead>
        <tbody>
          {documentedValues().testCards.map(({ number, outcome }) => (
            <tr key={number}>
              <td className="whitespace-nowrap tabular-nums">{number.match(/.{4}/g)?.join(' ')}</td>
              <td>
                <code className="docs-inline-code">{outcome}</code>
              </td>
              <td>{t(`meanings.${outcome}`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
