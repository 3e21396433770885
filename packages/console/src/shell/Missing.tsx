import { Link } from "@tanstack/react-router";
import { PageHead } from "../parts/Page.tsx";
import { paths } from "../paths.ts";
import { text } from "../text/text.ts";
import { Bare } from "./Bare.tsx";

/** An address without a page. */
export function Missing() {
  return (
    <Bare>
      <PageHead title={text.problem.page} lead={text.problem.pageHelp} />
      <Link {...paths.home()}>{text.problem.toHome}</Link>
    </Bare>
  );
}
