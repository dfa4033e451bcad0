/**
 * Writes the e-mail about a payment or a refund in the statement that makes the change, so that
 * neither exists without the other, whatever dies; nothing where the buyer has given no address.
 *
 * An e-mail's id is that of its invoice or refund with another prefix: the key limits each to one.
 *
 * @param changed name of a CTE with the changed rows, `c`
 * @param now the time of the change, as SQL
 * @returns an INSERT for use as a CTE; its rows are due at once, even if the clock of `now` is ahead
 */
export function enqueueReceiptEmails(
  kind: 'paid' | 'refund',
  changed: string,
  now: string,
): string {
  const [invoiceId, refundId] = kind === 'paid' ? ['c.id', 'NULL'] : ['c.invoice_id', 'c.id'];
  return `
    INSERT INTO receipt_emails
      (id, invoice_id, refund_id, kind, address, locale, next_attempt_at, created_at)
    SELECT 'eml_' || substr(c.id, 5), ${invoiceId}, ${refundId}, '${kind}', b.address, b.locale,
           least(${now}, now()), ${now}
    FROM ${changed} c JOIN buyer_contacts b ON b.invoice_id = ${invoiceId}`;
}
