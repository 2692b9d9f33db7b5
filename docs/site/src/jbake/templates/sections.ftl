<#ftl output_format="JavaScript">
<#import "text.ftl" as text>
<#-- A row for each section: page, anchor, title of the page, heading, text. -->
const sections = [
<#list published_content?sort_by('uri') as page>
  <#assign title = text.title(page)>
  <#list page.body?split('<h(?=[1-6]>)', 'r') as part>
    <#list part?matches('[1-6]><a href="#([^"]*)"[^>]*>(.*?)</a></h[1-6]>(.*)', 's') as section>
["${page.uri?json_string}", "${section?groups[1]?json_string}", "${title?json_string}", "${text.plain(section?groups[2])?json_string}", "${text.plain(section?groups[3]?replace('</', ' </'))?json_string}"],
    </#list>
  </#list>
</#list>
];
