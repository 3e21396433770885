import { expect, test } from "vitest";
import { longFormOf, usualWaId } from "./number-forms.ts";

const waIdOf = (digits: string): string => usualWaId(longFormOf(digits));

test.each([
  ["Brazil, area up to 28, with the 9", "5511987654321", "5511987654321"],
  ["Brazil, area up to 28, without", "551187654321", "5511987654321"],
  ["Brazil, area 28", "552887654321", "5528987654321"],
  ["Brazil, area from 31 on, with the 9", "5531987654321", "553187654321"],
  ["Brazil, area from 31 on, without", "553187654321", "553187654321"],
  ["Brazil, area from 31 on, issued later", "5531912345678", "5531912345678"],
  ["Brazil, landline", "551133334444", "551133334444"],
  ["Brazil, landline, area from 31 on", "553133334444", "553133334444"],
  ["Brazil, the mobile whose number is a landline's with a 9", "5531933334444", "5531933334444"],
  ["Brazil, an area that does not exist", "5520981234567", "5520981234567"],
  ["Brazil, an area that does not exist, without the 9", "552081234567", "552081234567"],
  ["Mexico, without the 1", "525512345678", "5215512345678"],
  ["Mexico, with the 1", "5215512345678", "5215512345678"],
  ["Mexico, no such number", "521234567890", "521234567890"],
  ["Argentina, without the 9", "541112345678", "5491112345678"],
  ["Argentina, with the 9", "5491112345678", "5491112345678"],
  ["Ivory Coast, ten digits of an old mobile", "2250777123456", "22577123456"],
  ["Ivory Coast, eight digits", "22577123456", "22577123456"],
  ["Ivory Coast, each operator", "2250505123456", "22505123456"],
  ["Ivory Coast, another operator than the old number had", "2250577123456", "2250577123456"],
  ["Ivory Coast, issued later", "2250710123456", "2250710123456"],
  ["Ivory Coast, landline", "2252720212345", "2252720212345"],
  ["elsewhere", "15550001111", "15550001111"],
  ["elsewhere, as long as a Brazilian one", "447700900123", "447700900123"],
  ["elsewhere, with a zero inside", "2290197123456", "2290197123456"],
])("%s: %s is routed by %s", (_name, digits, waId) => {
  expect(waIdOf(digits)).toBe(waId);
  // Writing to the answer's form is answered with the same one, and both lead to one person.
  expect(waIdOf(waId)).toBe(waId);
  expect(longFormOf(waId)).toBe(longFormOf(digits));
});

test.each([
  ["Brazil, landline and mobile", "551133334444", "5511933334444"],
  ["Brazil, other area", "553181234567", "5532981234567"],
  ["Mexico and the United States", "525512345678", "15512345678"],
  ["Ivory Coast, two numbers issued later", "2250710123456", "2250510123456"],
])("%s stay apart", (_name, one, other) => {
  expect(longFormOf(one)).not.toBe(longFormOf(other));
});
