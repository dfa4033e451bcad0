/** The cookie in which the browser keeps which columns of the invoices are shown. */
export const COLUMNS_COOKIE = 'invoice-columns';
