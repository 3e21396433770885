/** text: the portfolio where it has a limit, or is found full by the provider; else null, and nothing is counted. Expressions are SQL. */
export const limitedPortfolio = (portfolio: string, now = "now"): string =>
  `(select p.portfolio_id from portfolio_limit p
        where p.portfolio_id = ${portfolio} and (p.most is not null or p.full_until > ${now}))`;
