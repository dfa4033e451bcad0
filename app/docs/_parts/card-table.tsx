import { documentedValues } from '#server/openapi/documented-values.ts';

type Outcome = ReturnType<typeof documentedValues>['testCards'][number]['outcome'];

const MEANINGS: Record<Outcome, string> = {
  approved: 'Paid at once.',
  generic_decline: 'Declined without a reason.',
  insufficient_funds: 'Declined: insufficient funds.',
  lost_card: 'Declined: the card is reported lost.',
  expired_card: 'Declined: the card has expired.',
  incorrect_cvc: 'Declined: the security code is wrong.',
  processing_error: 'Declined: the acquirer had an error.',
  challenge_approved: '3-D Secure is asked for and passed: paid.',
  challenge_failed: '3-D Secure is asked for and failed: declined.',
  challenge_abandoned: '3-D Secure is asked for and the buyer leaves: declined.',
  slow_approved: 'Paid, but the acquirer takes 40 seconds to answer.',
};

/** The table's words for the search. */
export function cardWords(): string {
  return documentedValues()
    .testCards.map(({ number, outcome }) => `${number} ${outcome} ${MEANINGS[outcome]}`)
    .join(' ');
}

/** The sandbox's card numbers and their meaning. */
export function CardTable() {
  return (
    <div className="docs-table docs-table-stack">
      <table>
        <thead>
          <tr>
            <th scope="col">number</th>
            <th scope="col">outcome</th>
            <th scope="col">what happens</th>
          </tr>
        </thead>
        <tbody>
          {documentedValues().testCards.map(({ number, outcome }) => (
            <tr key={number}>
              <td className="whitespace-nowrap tabular-nums">{number.match(/.{4}/g)?.join(' ')}</td>
              <td>
                <code className="docs-inline-code">{outcome}</code>
              </td>
              <td>{MEANINGS[outcome]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
